/** Writes bytes as base64. */
export function formatBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
