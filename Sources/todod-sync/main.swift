internal import Glibc
internal import TodoSync

exit(SyncProgram.run(arguments: Array(CommandLine.arguments.dropFirst())))
