import { beforeEach, expect, test, vi } from 'vitest'

const build = vi.hoisted(() => vi.fn())
vi.mock('esbuild', () => ({ build }))

beforeEach(() => {
  vi.resetModules()
  build.mockReset()
})

test('bundles the script once for repeated calls', async () => {
  build.mockResolvedValue({ outputFiles: [{ text: '// form.ts\nstart()\n' }] })
  const { cardScript } = await import('./cardScript.ts')
  expect(await Promise.all([cardScript(), cardScript()])).toEqual(['start()\n', 'start()\n'])
  expect(build).toHaveBeenCalledTimes(1)
})

test('bundles again after a failure', async () => {
  build.mockRejectedValueOnce(new Error('The service was stopped'))
  build.mockResolvedValueOnce({ outputFiles: [{ text: 'start()' }] })
  const { cardScript } = await import('./cardScript.ts')
  await expect(cardScript()).rejects.toThrow('The service was stopped')
  expect(await cardScript()).toBe('start()')
})
