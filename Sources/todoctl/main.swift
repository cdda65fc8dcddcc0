internal import Glibc
internal import TodoClient

exit(Todoctl.run(CommandLine.unsafeArgv))
