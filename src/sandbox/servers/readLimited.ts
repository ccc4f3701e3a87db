/** Reads a request's body. Returns undefined, without reading to the end, if it has more than `most` bytes. */
export async function readLimited(request: Request, most: number): Promise<Buffer | undefined> {
  const length = request.headers.get('content-length')
  if (Number(length) > most) return undefined
  if (length !== null) {
    // Node's server enforces content-length. Reading the whole body is cheaper than streaming it.
    const whole = Buffer.from(await request.arrayBuffer())
    return whole.length > most ? undefined : whole
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
