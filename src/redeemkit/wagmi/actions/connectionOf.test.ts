// @vitest-environment happy-dom
import { getConnection } from '@wagmi/core'
import { expect, test } from 'vitest'
import { chainId, otherChainId, purchase, stranger, world } from '../wagmi.fixture.ts'
import { connectionOf, knownSigner, signerOf } from './connectionOf.ts'
import { prepareRedeem } from './prepareRedeem.ts'

test('before a click, a connector that switches the chain in getProvider is called without a chain', async () => {
  const { config, kit, wallet, asked, connect } = world()
  wallet.state.chainId = otherChainId
  await connect()
  const { connector } = getConnection(config)
  if (connector === undefined) throw new Error('There is no wallet.')
  const { getProvider } = connector
  // wagmi's walletConnect does this.
  connector.getProvider = async ({ chainId } = {}) => {
    if (chainId) await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
    return getProvider()
  }
  await prepareRedeem(config, { kit, ...purchase })
  expect(asked).not.toContain('wallet wallet_switchEthereumChain')
})

test('a wallet behind WalletConnect is not asked for its capabilities, because the request would open its app', async () => {
  const { config, kit, wallet, asked, connect } = world()
  await connect()
  wallet.state.answers.wallet_getCapabilities = () => ({})
  expect(await prepareRedeem(config, { kit, ...purchase })).toMatchObject({ takesIntent: false })
  expect(asked).toContain('wallet wallet_getCapabilities')
  asked.length = 0
  Object.assign(wallet, { isWalletConnect: true })
  expect(await prepareRedeem(config, { kit, ...purchase })).toMatchObject({ takesIntent: false })
  expect(asked).not.toContain('wallet wallet_getCapabilities')
})

/** Connects a page, then changes its connector. */
async function connected(change: object = {}) {
  const { config, kit, connect } = world()
  await connect()
  const own = connectionOf(config, { kit })
  return { ...own, connector: { ...own.connector, ...change } }
}

test.each([
  ['that is still reconnecting', { getProvider: undefined }],
  ['without an EIP-1193 provider', { getProvider: async () => ({}) }],
])('a wallet %s is not connected', async (_, change) => {
  const signer = signerOf(await connected(change))
  await expect(signer).rejects.toMatchObject({ name: 'WalletNotConnectedError' })
})

test('a connector with one client per chain signs with the client of the requested chain', async () => {
  const getClient = async (options: object) => options
  expect(await signerOf(await connected({ getClient }))).toEqual({ chainId })
})

test('a signer is reused only for the same account and chain', async () => {
  const own = await connected()
  const signer = await signerOf(own)
  expect(knownSigner(own)).toBe(signer)
  expect(knownSigner({ ...own, chainId: otherChainId })).toBeUndefined()
  expect(knownSigner({ ...own, wallet: stranger })).toBeUndefined()
})
