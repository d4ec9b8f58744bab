// The page's end of the line to the worker.
import type { Notice, Order, RequestName, Requests } from "./protocol";
import { startWorker } from "#start";

export class Client {
    #worker: Worker | undefined;
    #ready: Promise<void>;
    #next = 0;
    #open = new Map<number, { resolve: (reply: never) => void, reject: (why: Error) => void }>();
    /** Hears of output and standing. */
    onNotice: (notice: Notice) => void = () => {};

    constructor() {
        this.#ready = this.#start();
    }

    async #start(): Promise<void> {
        const { worker, wasm } = await startWorker();
        this.#worker = worker;
        await new Promise<void>((resolve, reject) => {
            worker.onerror = (event) => reject(new Error(event.message));
            worker.onmessage = ({ data }: MessageEvent<Notice>) => {
                if (data.notice === "ready") resolve();
                else this.#heard(data);
            };
            worker.postMessage({ order: "start", wasm } satisfies Order);
        });
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

    async order(order: Order): Promise<void> {
        await this.#ready;
        this.#worker?.postMessage(order);
    }

    async request<Name extends RequestName>(name: Name, request: Requests[Name]["request"]): Promise<Requests[Name]["reply"]> {
        await this.#ready;
        const id = ++this.#next;
        return new Promise((resolve, reject) => {
            this.#open.set(id, { resolve, reject });
            this.#worker?.postMessage({ order: "request", id, name, request } satisfies Order);
        });
    }

    #heard(notice: Notice): void {
        if (notice.notice !== "reply") return this.onNotice(notice);
        const open = this.#open.get(notice.id);
        this.#open.delete(notice.id);
        if (notice.problem !== undefined) open?.reject(new Error(notice.problem));
        else open?.resolve(notice.reply as never);
    }
}
