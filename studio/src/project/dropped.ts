// What is dropped onto the page: files, and folders with all that is in them.

export interface Dropped { path: string, file: File }

/** A folder by mistake, such as a whole disk, ends somewhere. */
const MOST_FILES = 500;
const PNG = [0x89, 0x50, 0x4e, 0x47];

export function isImage(bytes: Uint8Array): boolean {
    return PNG.every((byte, at) => bytes[at] === byte);
}

export async function dropped(transfer: DataTransfer): Promise<Dropped[]> {
    // A browser forgets them as soon as the event is over.
    const open = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
    // Not every browser, and no test, knows of entries.
    if (open.length === 0) return [...transfer.files].map((file) => ({ path: file.name, file }));
    const found: Dropped[] = [];
    for (let entry = open.shift(); entry && found.length < MOST_FILES; entry = open.shift()) {
        if (entry.isFile) found.push({ path: entry.fullPath.replace(/^\//, ""), file: await fileOf(entry as FileSystemFileEntry) });
        else open.push(...await entriesOf(entry as FileSystemDirectoryEntry));
    }
    return found;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
    return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A folder tells of its entries in parts, and of none when it has told of all. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
    const reader = folder.createReader();
    const entries: FileSystemEntry[] = [];
    for (;;) {
        const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
        if (part.length === 0) return entries;
        entries.push(...part);
    }
}
