/** The SDK's types ask for Node's `Buffer` where its code takes any bytes; browsers have none. */
export function asBuffer(bytes: Uint8Array): Buffer {
  // Sound for `hash`, `Keypair.sign` and `Keypair.verify`, which copy the bytes themselves.
  return bytes as Buffer
}
