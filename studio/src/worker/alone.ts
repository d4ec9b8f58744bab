// The worker runs what others have written. It needs nothing that reaches out of it but messages to the page, so it gives
// the rest away before anything else is loaded: not even a defect of the engine can be used to send something somewhere.
// The page's policy does not hold here, as a worker that is loaded from an address has only what its server says.

const REACHING = [
    "fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport", "EventSource", "importScripts", "Worker", "SharedWorker", "BroadcastChannel",
    "indexedDB", "caches", "Notification", "RTCPeerConnection", "RTCDataChannel", "FontFace", "FileReaderSync", "webkitRequestFileSystem",
];

for (const name of REACHING) Object.defineProperty(self, name, { value: undefined, configurable: false, writable: false });

export {};
