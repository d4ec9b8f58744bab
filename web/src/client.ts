// The page's end of the line to the worker.
import type { Notice, Order, RequestName, Requests } from "./protocol";
import { startWorker } from "#start";

/** A worker, and the two files of the engine that it is to use. */
export interface Started { worker: Worker, first: WebAssembly.Module, rest: Promise<WebAssembly.Module> }

export class Client {
    #worker: Worker | undefined;
    #ready: Promise<void>;
    /** Whether the engine is there. */
    isReady = false;
    #next = 0;
    #open = new Map<number, { resolve: (reply: never) => void, reject: (why: Error) => void }>();
    /** What the worker was told before its engine was complete. */
    #orders: Order[] | undefined;
    /** Hears of output and standing. */
    onNotice: (notice: Notice) => void = () => {};

    constructor() {
        this.#ready = this.#start();
    }

    async #start(): Promise<void> {
        this.isReady = false;
        this.#orders = [];
        const { worker, first, rest } = await startWorker();
        await this.#begin(worker, { order: "start", first });
        this.isReady = true;
        const complete = (order: Order) => this.#worker === worker && worker.postMessage(order);
        rest.then(
            (rest) => complete({ order: "complete", rest }),
            (why: Error) => complete({ order: "complete", problem: why.message }),
        );
    }

    /** Another worker, with a complete engine, does all again that was ordered. */
    async #startAgain(): Promise<void> {
        this.#worker?.terminate();
        const orders = this.#orders ?? [];
        this.#orders = undefined;
        try {
            const { worker, first, rest } = await startWorker();
            await this.#begin(worker, { order: "start", first, rest: await rest });
            worker.postMessage({ order: "again", orders } satisfies Order);
        } catch (why) {
            const run = orders.flatMap((order) => order.order === "run" ? [order.run] : []).at(-1) ?? 0;
            const message = why instanceof Error ? why.message : String(why);
            const figures = { steps: 0, failures: 0, choices: 0, memory: 0 };
            this.onNotice({ notice: "standing", run, standing: { status: "missing", message }, figures, answers: [] });
        }
    }

    #begin(worker: Worker, order: Order): Promise<void> {
        this.#worker = worker;
        return new Promise<void>((resolve, reject) => {
            worker.onerror = (event) => reject(new Error(event.message));
            worker.onmessage = ({ data }: MessageEvent<Notice>) => {
                if (this.#worker !== worker) return;
                if (data.notice === "ready") {
                    resolve();
                } else if (data.notice === "incomplete") {
                    this.#ready = this.#startAgain();
                    // Something was missing even before the worker was ready.
                    resolve(this.#ready);
                } else {
                    this.#heard(data);
                }
            };
            worker.postMessage(order);
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
        // What the person goes on to change must not change what they have ordered.
        this.#orders?.push(structuredClone(order));
        this.#worker?.postMessage(order);
    }

    #heard(notice: Notice): void {
        switch (notice.notice) {
            case "complete":
                this.#orders = undefined;
                return;
            case "reply": {
                const open = this.#open.get(notice.id);
                this.#open.delete(notice.id);
                if (notice.problem !== undefined) open?.reject(new Error(notice.problem));
                else open?.resolve(notice.reply as never);
                return;
            }
            default:
                return this.onNotice(notice);
        }
    }
}
