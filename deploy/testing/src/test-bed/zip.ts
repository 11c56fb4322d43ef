const DIRECTORY_ENTRY = Buffer.from([0x50, 0x4b, 0x01, 0x02]);

/** Files of a ZIP that stores them as they are, by name, as its directory lists them. */
export function unzip(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let at = zip.indexOf(DIRECTORY_ENTRY); at !== -1; at = zip.indexOf(DIRECTORY_ENTRY, at + 46)) {
    const size = zip.readUInt32LE(at + 20);
    const name = zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28));
    const header = zip.readUInt32LE(at + 42);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    files.set(name, zip.subarray(start, start + size));
  }
  return files;
}
