// Runs a program through the debugger `ndscript dap`, by the messages of the Debug Adapter Protocol.
const { spawn } = require("node:child_process");

class Adapter {
    /**
     * @param {string} command the program `ndscript`
     * @param {string} folder where it runs
     * @param {(name: string, body: object) => void} onEvent is told of each event, and of `exit` at the end
     */
    constructor(command, folder, onEvent) {
        this.waiting = new Map();
        this.sent = 0;
        this.said = "";
        this.read = Buffer.alloc(0);
        this.process = spawn(command, ["dap"], { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
        this.process.stdout.on("data", (data) => this.take(data, onEvent));
        this.process.stderr.on("data", (data) => (this.said += data));
        // Who writes to one that is gone is told so by `exit`.
        this.process.stdin.on("error", () => {});
        const end = (why) => {
            this.waiting.forEach(({ reject }) => reject(new Error(why)));
            this.waiting.clear();
            onEvent("exit", {});
        };
        this.process.on("error", (error) =>
            end(`${command} does not start: ${error.message}\nSet "ndscript.path" to the program ndscript.`),
        );
        this.process.on("close", () => end(this.said || `${command} has ended`));
    }

    take(data, onEvent) {
        this.read = Buffer.concat([this.read, data]);
        for (;;) {
            const head = this.read.indexOf("\r\n\r\n");
            const length = head < 0 ? NaN : Number(/content-length: *(\d+)/i.exec(this.read.toString("latin1", 0, head))?.[1]);
            const end = head + 4 + length;
            if (!(this.read.length >= end)) {
                return;
            }
            const message = JSON.parse(this.read.toString("utf8", head + 4, end));
            this.read = this.read.subarray(end);
            if (message.type === "event") {
                onEvent(message.event, message.body ?? {});
                continue;
            }
            const { resolve, reject } = this.waiting.get(message.request_seq) ?? {};
            this.waiting.delete(message.request_seq);
            if (message.success) {
                resolve?.(message.body);
            } else {
                reject?.(new Error(message.message));
            }
        }
    }

    /** Asks for something; the body of the answer. */
    request(command, arguments_ = {}) {
        const seq = ++this.sent;
        const message = Buffer.from(JSON.stringify({ seq, type: "request", command, arguments: arguments_ }));
        this.process.stdin.write(`Content-Length: ${message.length}\r\n\r\n`);
        this.process.stdin.write(message);
        return new Promise((resolve, reject) => this.waiting.set(seq, { resolve, reject }));
    }

    dispose() {
        this.process.kill();
    }
}

module.exports = { Adapter };
