import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { licensePlugin } from 'rolldown-license-plugin'
import { isFree } from './releaseCheck.ts'

/** Writes the licence texts of all bundled packages next to the bundle. Fails if one is missing, or not on the list of the release. */
export const bundledLicences = licensePlugin({
  allow: ({ license }) => isFree(license),
  failOnViolation: true,
  failOnUnlicensed: true,
  done: (licences, context) => {
    const texts = licences.map(({ name, version, license, licenseText }) => {
      const text = licenseText === '' ? textElsewhere(name) : licenseText
      if (!isLicence.test(text))
        context.error(`${name}@${version} has no licence text. Import it instead of bundling it.`)
      return `${name} ${version} (${license})\n\n${text.trim()}\n`
    })
    context.emitFile({
      type: 'asset',
      fileName: 'THIRD_PARTY_LICENSES.txt',
      source: texts.join(`\n${'-'.repeat(80)}\n\n`),
    })
  },
})

const isLicence =
  /Apache License|Permission is hereby granted|Permission to use, copy|Blue Oak Model License|Redistribution and use/i

/** Packages without a licence file. */
const elsewhere: Readonly<Record<string, string>> = {
  // Its repository has the unchanged text of Apache 2.0.
  'drizzle-orm': 'typescript/LICENSE.txt',
  'pg-types': 'pg-types/README.md',
  pgpass: 'pgpass/README.md',
}

function textElsewhere(name: string): string {
  const file = elsewhere[name]
  if (file === undefined) return ''
  const text = readFileSync(fileURLToPath(new URL(`../node_modules/${file}`, import.meta.url)), 'utf8')
  return file.endsWith('.md') ? text.slice(text.search(/^## license/im)) : text
}
