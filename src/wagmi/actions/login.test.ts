// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { account } from '../../redeem/redeem.fixture.ts'
import { chainId, signInRoutes, wallet, world } from '../wagmi.fixture.ts'
import { getSession } from './getSession.ts'
import { login } from './login.ts'

async function door() {
  const at = world(signInRoutes)
  await at.connect()
  at.wallet.state.onSign = (message) => account.signMessage({ message: { raw: message } })
  return at
}

test('the wallet signs in, and the session says until when', async () => {
  const { config, kit, clock } = await door()
  expect(getSession(config, { kit })).toBeNull()
  const session = await login(config, { kit })
  expect(session).toEqual({ wallet, chainId, expiresAt: clock.ms / 1000 + 3600 })
  expect(getSession(config, { kit })).toEqual(session)
})

test('a session ends with its time', async () => {
  const { config, kit, clock } = await door()
  await login(config, { kit })
  clock.ms += 3_600_000
  expect(getSession(config, { kit })).toBeNull()
})

test('what a session shows holds no credential', async () => {
  const { config, kit } = await door()
  expect(JSON.stringify(await login(config, { kit }))).not.toContain('signedMessage')
})
