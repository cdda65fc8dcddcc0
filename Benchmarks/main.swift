import Glibc

// swift run -c release Benchmarks [objects [part of a name]]

let arguments = CommandLine.arguments.dropFirst()
let count = arguments.first.flatMap { Int($0) } ?? 100_000
let filter = arguments.dropFirst().first ?? ""
var template = Array("/tmp/objectstore-benchmark-XXXXXX".utf8CString)
guard let made = mkdtemp(&template) else { fatalError("no temporary directory") }
let directory = String(cString: made)
defer { system("rm -rf '\(directory)'") }

for line in Measurement.header { print(line) }
try StoreBenchmark(directory: directory, count: count).run(filter) { print($0.line) }
try PredicateBenchmark(directory: directory, count: count).run(filter) { print($0) }
