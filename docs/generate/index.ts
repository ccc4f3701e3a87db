import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sitePages } from './sitePages.ts'

/* Writes the site's Markdown into `docs/.site`, from the pages, the sources and the examples. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const site = join(root, 'docs/.site')

rmSync(site, { recursive: true, force: true })
for (const [path, text] of sitePages()) {
  mkdirSync(dirname(join(site, path)), { recursive: true })
  writeFileSync(join(site, path), text)
}
cpSync(join(root, 'docs/public'), join(site, 'public'), { recursive: true })
cpSync(join(root, 'examples/dapp-redeem/shop.png'), join(site, 'public/shop.png'))
