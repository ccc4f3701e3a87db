// @vitest-environment happy-dom
import { getConnection } from '@wagmi/core'
import { expect, test } from 'vitest'
import { chainId, otherChainId, world } from '../wagmi.fixture.ts'
import { switchWallet } from './switchWallet.ts'

const switching = 'wallet_switchEthereumChain'
const throws = (error: object) => () => {
  throw Object.assign(new Error('The wallet says so.'), error)
}

/** Creates a wallet on another chain, and a function that switches it. */
async function elsewhere() {
  const at = world()
  at.wallet.state.chainId = otherChainId
  await at.connect()
  const { connector } = getConnection(at.config)
  return {
    ...at,
    switchIt: () => switchWallet(at.config, { connector, chainId }),
    currentChain: () => getConnection(at.config).chainId,
  }
}

test('a wallet that switches updates wagmi', async () => {
  const { switchIt, currentChain } = await elsewhere()
  await switchIt()
  expect(currentChain()).toBe(chainId)
})

test('a wallet that switches without an event updates wagmi', async () => {
  const { switchIt, currentChain, wallet } = await elsewhere()
  wallet.state.answers[switching] = () => {
    wallet.state.chainId = chainId
    return null
  }
  await switchIt()
  expect(currentChain()).toBe(chainId)
})

test('a wallet may report the switch shortly before it has switched', async () => {
  const { switchIt, currentChain, wallet } = await elsewhere()
  let reads = 0
  wallet.state.answers = {
    [switching]: () => null,
    eth_chainId: () => `0x${(++reads < 3 ? otherChainId : chainId).toString(16)}`,
  }
  await switchIt()
  expect([reads, currentChain()]).toEqual([3, chainId])
})

test('a wallet that reports a switch but has not switched is on the wrong chain', async () => {
  const { switchIt, currentChain, wallet } = await elsewhere()
  wallet.state.answers[switching] = () => null
  await expect(switchIt()).rejects.toMatchObject({ name: 'WrongNetworkError', field: 'chainId' })
  expect(currentChain()).toBe(otherChainId)
})

test('a rejection is final, without another request', async () => {
  const { switchIt, wallet, asked } = await elsewhere()
  wallet.state.answers[switching] = throws({ code: 4001 })
  await expect(switchIt()).rejects.toMatchObject({ name: 'UserRejectedError' })
  expect(asked).toEqual([`wallet ${switching}`])
})

test.each([{ code: 4902 }, { code: -32603, data: { originalError: { code: 4902 } } }])(
  'an unknown chain is added to the wallet: %o',
  async (error) => {
    const { switchIt, currentChain, wallet } = await elsewhere()
    wallet.state.answers[switching] = throws(error)
    wallet.state.answers.wallet_addEthereumChain = () => {
      wallet.state.chainId = chainId
      return null
    }
    await switchIt()
    expect(currentChain()).toBe(chainId)
  },
)

test.each([4200, -32601])(
  'a wallet that does not support the request (%i) is switched by its connector',
  async (code) => {
    const { switchIt, wallet, currentChain } = await elsewhere()
    let asked = 0
    wallet.state.answers[switching] = (own) => {
      if (++asked === 1) throw Object.assign(new Error('The method does not exist.'), { code })
      return own()
    }
    await switchIt()
    expect(currentChain()).toBe(chainId)
  },
)

test.each([
  ['without a wallet', undefined],
  ['while the wallet reconnects', { id: 'fake' }],
])('%s, nothing is switched', async (_, connector) => {
  const { config } = world()
  // While wagmi reconnects, its connector has no functions yet.
  const switched = switchWallet(config, { connector: connector as never, chainId })
  await expect(switched).rejects.toMatchObject({ name: 'WalletNotConnectedError' })
})
