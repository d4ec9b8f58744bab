// The page's end of the line to the worker.
import type { Notice, Order, RequestName, Requests } from "./protocol";
import { startWorker } from "#start";

/** A worker, and the engine that it is to use. */
export interface Started { worker: Worker, engine: WebAssembly.Module }

export class Client {
    #worker: Worker | undefined;
    #ready: Promise<void>;
    /** Whether the engine is there. */
    isReady = false;
    #next = 0;
    #open = new Map<number, { resolve: (reply: never) => void, reject: (why: Error) => void }>();
    /** Hears of output and standing. */
    onNotice: (notice: Notice) => void = () => {};

    constructor() {
        this.#ready = this.#start();
    }

    async #start(): Promise<void> {
        this.isReady = false;
        const { worker, engine } = await startWorker();
        this.#worker = worker;
        await new Promise<void>((resolve, reject) => {
            worker.onerror = (event) => reject(new Error(event.message));
            worker.onmessage = ({ data }: MessageEvent<Notice>) => {
                // A worker that was ended may have said something before.
                if (this.#worker !== worker) return;
                if (data.notice === "ready") resolve();
                else this.#heard(data);
            };
            worker.postMessage({ order: "start", engine } satisfies Order);
        });
        this.isReady = true;
    }

    /** Ends the worker, whatever it does, and starts another. */
    restart(): void {
        this.#worker?.terminate();
        this.#open.forEach(({ reject }) => reject(new Error("the engine was started again")));
        this.#open.clear();
        this.#ready = this.#start();
    }

    ready(): Promise<void> {
        return this.#ready;
    }

    /** Where there is no engine, nothing comes of it; whoever runs a program is told why by `ready`. */
    async order(order: Order): Promise<void> {
        await this.#ready.then(() => this.#send(order), () => {});
    }

    async request<Name extends RequestName>(name: Name, request: Requests[Name]["request"]): Promise<Requests[Name]["reply"]> {
        await this.#ready;
        const id = ++this.#next;
        return new Promise((resolve, reject) => {
            this.#open.set(id, { resolve, reject });
            this.#send({ order: "request", id, name, request });
        });
    }

    #send(order: Order): void {
        this.#worker?.postMessage(order);
    }

    #heard(notice: Notice): void {
        if (notice.notice !== "reply") return this.onNotice(notice);
        const open = this.#open.get(notice.id);
        this.#open.delete(notice.id);
        if (notice.problem !== undefined) open?.reject(new Error(notice.problem));
        else open?.resolve(notice.reply as never);
    }
}
