import { expect, test } from 'vitest'
import { inlineGenerated } from '../../.config/inlineGenerated.ts'

const folders = ['/repository', 'C:\\repository'] as const
const pathIn = (folder: (typeof folders)[number], file: string) =>
  folder === '/repository' ? `${folder}/${file}` : `${folder}\\${file.replaceAll('/', '\\')}`

test.each(folders)('inlines the computed modules, also with the paths of Windows: %s', async (folder) => {
  const load = (file: string) => inlineGenerated.load(pathIn(folder, file))
  expect(await load('src/sandbox/pages/card/cardScript.ts')).toMatch(
    /^export const cardScript = \(\) => Promise\.resolve\("/,
  )
  expect(await load('src/sandbox/store/migrations.ts')).toMatch(
    /^export const readMigrations = \(\) => \[\{"name":"0000_first"/,
  )
  expect(await load('src/sandbox/store/migrate.ts')).toBeNull()
})
