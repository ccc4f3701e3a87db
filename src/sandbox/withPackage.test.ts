import { expect, test } from 'vitest'
import { PackageNotInstalledError, withPackage } from './withPackage.ts'

function notFound(name: string): Error {
  const error = new Error(`Cannot find package '${name}' imported from /project/index.js`)
  return Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' })
}

test('returns the imported module', async () => {
  expect(await withPackage('some-package', async () => 7)).toBe(7)
})

test('shows the command that installs a missing package', async () => {
  const missing = withPackage('some-package', () => Promise.reject(notFound('some-package')))
  await expect(missing).rejects.toBeInstanceOf(PackageNotInstalledError)
  await expect(missing).rejects.toThrow('npm install some-package')
})

test('rethrows any other error', async () => {
  const other = notFound('another-package')
  await expect(withPackage('some-package', () => Promise.reject(other))).rejects.toBe(other)
})
