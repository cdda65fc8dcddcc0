internal import Glibc
internal import TodoClient

exit(Todoctl.run(Array(CommandLine.arguments.dropFirst())))
