// @vitest-environment happy-dom
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { account } from '../../redeem/redeem.fixture.ts'
import { chainId, otherChainId, signInRoutes, wallet, world } from '../wagmi.fixture.ts'
import { getSession, login } from './login.ts'

async function door() {
  const at = world(signInRoutes)
  await at.connect()
  const signed: string[] = []
  at.wallet.state.onSign = async (message) => {
    const signature = await account.signMessage({ message: { raw: message } })
    signed.push(signature)
    return signature
  }
  return { ...at, signed }
}

test('the wallet signs in, and the session has an expiry', async () => {
  const { config, kit, clock } = await door()
  expect(getSession(config, { kit })).toBeNull()
  const session = { wallet, chainId, expiresAt: clock.ms / 1000 + 3600 }
  expect(await login(config, { kit })).toMatchObject({ ...session, blockchain: 'base' })
  expect(getSession(config, { kit })).toEqual(session)
})

test('a session is valid only on its chain', async () => {
  const { config, kit } = await door()
  await login(config, { kit })
  expect(getSession(config, { kit, chainId })).not.toBeNull()
  expect(getSession(config, { kit, chainId: otherChainId })).toBeNull()
})

test('a session expires', async () => {
  const { config, kit, clock } = await door()
  await login(config, { kit })
  clock.ms += 3_600_000
  expect(getSession(config, { kit })).toBeNull()
})

test('the client returns the credential of a wallet', async () => {
  const { config, kit, signed } = await door()
  const { signedMessage } = await login(config, { kit })
  expect([signedMessage]).toEqual(signed)
})

test('logs, JSON, copies and the session do not contain the credential', async () => {
  const { config, kit } = await door()
  const signedIn = await login(config, { kit })
  const { signedMessage } = signedIn
  for (const shown of [
    inspect(signedIn),
    JSON.stringify(signedIn),
    inspect({ ...signedIn }),
    inspect(getSession(config, { kit })),
  ])
    expect([shown.includes(signedMessage), shown.includes('signedMessage')]).toEqual([false, false])
})
