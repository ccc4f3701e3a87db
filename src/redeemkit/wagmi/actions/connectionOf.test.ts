// @vitest-environment happy-dom
import { getConnection } from '@wagmi/core'
import { expect, test } from 'vitest'
import { otherChainId, purchase, world } from '../wagmi.fixture.ts'
import { prepareRedeem } from './prepareRedeem.ts'

test('a connector that switches the chain when it is asked for a provider of one is not asked so before a click', async () => {
  const { config, kit, wallet, asked, connect } = world()
  wallet.state.chainId = otherChainId
  await connect()
  const { connector } = getConnection(config)
  if (connector === undefined) throw new Error('There is no wallet.')
  const { getProvider } = connector
  // As wagmi's walletConnect does it.
  connector.getProvider = async ({ chainId } = {}) => {
    if (chainId) await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
    return getProvider()
  }
  await prepareRedeem(config, { kit, ...purchase })
  expect(asked).not.toContain('wallet wallet_switchEthereumChain')
})

test('a wallet behind WalletConnect is not asked for its capabilities, because that opens its app', async () => {
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
