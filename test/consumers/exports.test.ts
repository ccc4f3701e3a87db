import { expect, test } from 'vitest'
import { entryPoints } from '../../.config/entryPoints.ts'
import { root } from './packages.ts'

test('the entry points export these names: a change needs a changeset', async () => {
  const lists = await Promise.all(
    Object.entries(entryPoints).map(
      async ([name, path]) =>
        `# ${name}\n${Object.keys(await import(root + path))
          .sort()
          .join('\n')}\n`,
    ),
  )
  await expect(lists.join('\n')).toMatchFileSnapshot('./exports.txt')
})
