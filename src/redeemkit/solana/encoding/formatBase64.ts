/** Writes bytes as padded base64, the text in which a transaction travels. */
export function formatBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
