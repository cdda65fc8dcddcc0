import Glibc

// swift run -c release APIBenchmarks PROGRAMS [part of a name]
// PROGRAMS is the directory with todod.

var arguments = Array(CommandLine.arguments.dropFirst())
guard let programs = arguments.first else {
    fatalError("Usage: APIBenchmarks PROGRAMS [part of a name]")
}
if programs == EchoServer.verb { EchoServer.run(path: arguments[1], log: arguments.dropFirst(2).first) }

let filter = arguments.dropFirst().first ?? ""
var template = Array("/var/tmp/todod-benchmark-XXXXXX".utf8CString)
guard let made = mkdtemp(&template) else { fatalError("no temporary directory") }
let directory = String(cString: made)
defer { system("rm -rf '\(directory)'") }

let daemon = Program([
    "\(programs)/todod", "--socket", "\(directory)/s", "--store", "\(directory)/todo.sqlite",
])
defer { daemon.stop() }
daemon.waitForSocket("\(directory)/s")

print("| work | floor | todod | ratio | limit |")
print("| --- | ---: | ---: | ---: | ---: |")
let benchmark = APIBenchmark(directory: directory, daemon: daemon)
benchmark.run(filter)
