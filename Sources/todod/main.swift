internal import Glibc
internal import TodoDaemon

exit(DaemonProgram.run(arguments: Array(CommandLine.arguments.dropFirst())))
