import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@rspress/core'
import { entryPoints } from '../.config/entryPoints.ts'
import { contents } from './contents.ts'
import { pageName } from './generate/apiPages.ts'

const site = fileURLToPath(new URL('.site', import.meta.url))

/** The title of a page: its first heading. */
function titleOf(path: string): string {
  return /^# (.*)$/m.exec(readFileSync(join(site, `${path}.md`), 'utf8'))?.[1] ?? path
}

function item(path: string) {
  return { text: titleOf(path), link: `/${path}` }
}

/** PROTOCOL.md's sections in their order, after its overview. */
const protocolSections = readdirSync(join(site, 'protocol'))
  .filter((name) => /^\d/.test(name))
  .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
  .map((name) => `protocol/${name.replace('.md', '')}`)

const apiPages = ['index', ...Object.keys(entryPoints).map(pageName)].map((name) => `reference/api/${name}`)

const sidebar = Object.fromEntries(
  contents.map(({ title, folder, pages }) => {
    const items = pages.map((page) => item(`${folder}/${page}`))
    if (folder === 'protocol') items.splice(1, 0, ...protocolSections.map(item))
    if (folder === 'reference') items.push(...apiPages.map(item))
    return [`/${folder}/`, [{ text: title, items }]]
  }),
)

export default defineConfig({
  root: '.site',
  outDir: 'dist',
  title: 'redeemkit',
  description: 'Wallet integration toolkit for gasless credit redeems and USDC flows.',
  globalStyles: fileURLToPath(new URL('theme/theme.css', import.meta.url)),
  globalUIComponents: [fileURLToPath(new URL('theme/Accessible.tsx', import.meta.url))],
  llms: true,
  markdown: { link: { checkDeadLinks: true, checkAnchors: true }, showLineNumbers: false },
  themeConfig: {
    nav: contents.map(({ title, folder, pages: [first] }) => ({
      text: title,
      link: `/${folder}/${first}`,
      activeMatch: `/${folder}/`,
    })),
    sidebar,
  },
})
