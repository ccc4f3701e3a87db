/** Waits until something is so, looking every 50 ms; false when it is not so after 15 seconds. */
export async function waitUntil(isTrue: () => Promise<boolean>): Promise<boolean> {
  for (let looks = 0; looks < 300; looks++) {
    if (await isTrue()) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}
