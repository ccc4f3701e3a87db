import { expect, test } from 'vitest'
import { buildPage } from './shop/buildPage.ts'

test.each(['wagmiPage', 'hooksPage', 'functionsPage', 'handWrittenPage'])(
  'the bench can build %s',
  async (page) => {
    const { entry, files } = await buildPage(`shop/${page}.tsx`)
    expect(files.get(entry)).toContain('createRoot')
  },
)
