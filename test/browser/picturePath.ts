import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../node_modules/.cache/redeemkit/pictures/', import.meta.url))

/** Where a picture of a page is kept, to be looked at. */
export async function picturePath(name: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  return join(folder, name)
}
