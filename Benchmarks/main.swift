import Glibc

// swift run -c release Benchmarks [objects [part of a name]]
// swift run -c release Benchmarks postgresql CONNECTION [objects [part of a name]]
//
// CONNECTION is a connection string of libpq. The benchmarks of PostgreSQL make the schema "benchmark" and remove it.

var arguments = CommandLine.arguments.dropFirst()
let connection = arguments.first == "postgresql" ? arguments.dropFirst().first ?? "" : nil
if connection != nil { arguments = arguments.dropFirst(2) }
let count = arguments.first.flatMap { Int($0) } ?? 100_000
let filter = arguments.dropFirst().first ?? ""
if let connection {
    for line in Measurement.header { report(line) }
    try PostgreSQLBenchmark(connection: connection, count: count).run(filter) { report($0.line) }
    exit(0)
}

var template = Array("/tmp/objectstore-benchmark-XXXXXX".utf8CString)
guard let made = mkdtemp(&template) else { fatalError("no temporary directory") }
let directory = String(cString: made)
defer { system("rm -rf '\(directory)'") }

func report(_ line: String) {
    print(line)
    // A reader at a pipe sees each line as soon as it is printed.
    fflush(nil)
}

let store = StoreBenchmark(directory: directory, count: count)
for line in Measurement.header { report(line) }
try store.run(filter) { report($0.line) }
try MessageBenchmark(directory: directory, count: count).run(filter) { report($0.line) }
try store.runStreams(filter, report)
try KindBenchmark(directory: directory, count: count / 10).run(filter, report)
try PredicateBenchmark(directory: directory, count: count).run(filter, report)
try MigrationBenchmark(directory: directory, count: count).run(filter) { print($0) }
try ReminderMigrationBenchmark(directory: directory, count: count).run(filter, report)
report("")
for line in Measurement.header { report(line) }
try AlertBenchmark(directory: directory, count: count * 10).run(filter) { report($0.line) }
try AlertBatchBenchmark(directory: directory).run(filter, report)
try ListBenchmark(directory: directory, count: count * 10).run(filter, report)
