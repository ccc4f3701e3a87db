import type { Hex } from 'viem'
import { expect, test, vi } from 'vitest'
import { passkeySigner } from './passkeySigner.ts'
import { webCryptoSigner } from './webCryptoSigner.ts'

// the import fails, as when a new version of the page is deployed during a visit
const missing = vi.hoisted(() => ({ curve: true }))
vi.mock('@noble/curves/nist.js', async (original) => {
  if (missing.curve) throw new TypeError('Failed to fetch')
  return original()
})

const hash: Hex = `0x${'22'.repeat(32)}`

// one test, because a module that was loaded once is never missing again
test('no key is asked to sign while the P-256 code that verifies the signature is missing', async () => {
  const asked = vi.fn(async () => {
    throw Object.assign(new Error('no'), { name: 'NotAllowedError' })
  })
  const passkey = passkeySigner({
    credentialId: 'AQIDBA',
    publicKey: {
      x: '0x60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6',
      y: '0x7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299',
    },
    getAssertion: asked,
  })
  const usages = ['sign', 'verify'] as const
  const keyPair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, usages)
  const key = await webCryptoSigner({ keyPair })
  const signed = vi.spyOn(crypto.subtle, 'sign')

  for (const signer of [passkey, key])
    await expect(signer.sign({ hash })).rejects.toMatchObject({ name: 'ModuleLoadError' })
  expect(asked).not.toHaveBeenCalled()
  expect(signed).not.toHaveBeenCalled()

  missing.curve = false
  await expect(passkey.sign({ hash })).rejects.toMatchObject({ name: 'UserRejectedError' })
  expect(asked).toHaveBeenCalledOnce()
  expect(await key.sign({ hash })).toMatch(/^0x01/)
  expect(signed).toHaveBeenCalledOnce()
})
