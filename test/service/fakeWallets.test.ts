import { type Address, createPublicClient, encodeFunctionData, type Hex, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  smartWalletAbi,
  smartWalletBytecode,
  smartWalletFactoryAbi,
  smartWalletFactoryBytecode,
} from '../../contracts/generated/smartWallets.ts'
import { evmAdapter } from '../../src/redeemkit/evm/evmAdapter.ts'
import { login, redeem } from '../../src/redeemkit/index.ts'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'
import { type RunningSandbox, type SandboxChain, startSandbox } from '../../src/sandbox/index.ts'
import { fakeWallet } from '../../src/sandbox/testing/wallet/fakeWallet.ts'
import { anvil, clientOf } from './sandboxClient.ts'

/** Misbehaving wallets with a real service on a real chain. */

let sandbox: RunningSandbox
let base: SandboxChain
let chain: ReturnType<typeof anvil>

beforeAll(async () => {
  sandbox = await startSandbox({ bridge: false })
  base = (sandbox.chains as Required<typeof sandbox.chains>).base // the sandbox starts it by default
  chain = anvil(base.rpcUrl)
})
afterAll(() => sandbox?.stop())

const reader = () => createPublicClient({ transport: http(base.rpcUrl) })

async function fund(address: Address) {
  await sandbox.mintCredits({ wallet: address, cents: 2_000 })
  await sandbox.mintUsdc({ wallet: address, cents: 2_000 })
}

const clientFor = (wallet: Address) => clientOf(sandbox, { wallet })

/** Buys for 10.00, with 4.00 of it in USDC. */
const buy = (signer: ReturnType<typeof fakeWallet>, publicClient?: ReturnType<typeof reader>) =>
  redeem(clientFor(signer.address), {
    subtotal: { cents: 1000 },
    usdcAmount: { cents: 400 },
    transactionData: { type: 'token', destination: sandbox.accounts.bob.address },
    pinned: base.pinned,
    signer,
    publicClient,
    pollingIntervalMs: 20,
  })

const newKey = () => ({ privateKey: generatePrivateKey(), chainId: base.chainId })

async function expectRedeemed(hash: Hex) {
  const receipt = await waitForReceipt(reader(), hash)
  expect(receipt.status).toBe('success')
}

describe('an EOA', () => {
  test.each(['ledger-recovery-value', 'hardware-wallet-high-s'] as const)(
    '%s pays, even if only the service reads the chain',
    async (profile) => {
      const wallet = fakeWallet({ ...newKey(), profile, client: reader() })
      await fund(wallet.address)
      await expectRedeemed((await buy(wallet)).hash)
      await expectRedeemed((await buy(wallet, reader())).hash)
      expect(wallet.prompts).toHaveLength(4)
    },
  )
})

describe('an account with code', () => {
  async function deploy() {
    const key = newKey()
    const { address: owner } = privateKeyToAccount(key.privateKey)
    const args = [owner] as const
    const address = await chain.deploy(smartWalletAbi, smartWalletBytecode, args)
    await fund(address)
    return { ...key, client: reader(), smartAccount: { kind: 'erc1271', address } as const }
  }

  test('can pay and sign in even if it wraps its signatures after deployment', async () => {
    const wallet = fakeWallet({ ...(await deploy()), profile: 'base-account-wraps-deployed' })
    const client = clientFor(wallet.address)
    const adapter = evmAdapter({
      signer: wallet,
      blockchain: 'base',
      chainId: base.chainId,
      client: reader(),
    })
    await expect(login(client, { adapter })).resolves.toMatchObject({
      signedMessage: expect.stringMatching(/(?:6492){16}$/),
    })
    await expectRedeemed((await buy(wallet, reader())).hash)
  })

  test('whose code rejects its signatures is refused before anything is sent', async () => {
    const wallet = fakeWallet({ ...(await deploy()), profile: 'coinbase-long-signature' })
    await expect(buy(wallet, reader())).rejects.toMatchObject({ name: 'WrongSignatureError' })
    expect(wallet.prompts).toHaveLength(1)
  })
})

test('an account that is not deployed yet is deployed by the service, and pays', async () => {
  const key = newKey()
  const deployed = await chain.deploy(smartWalletFactoryAbi, smartWalletFactoryBytecode)
  // The account's address comes from a factory that client and service know.
  const factory = '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a'
  await chain.rpc('anvil_setCode', [factory, await reader().getCode({ address: deployed })])
  const args = [privateKeyToAccount(key.privateKey).address, 7n] as const
  const call = { abi: smartWalletFactoryAbi, args } as const
  const address = await reader().readContract({ ...call, address: factory, functionName: 'walletOf' })
  const factoryData = encodeFunctionData({ ...call, functionName: 'createWallet' })
  await fund(address)
  const wallet = fakeWallet({
    ...key,
    client: reader(),
    smartAccount: { kind: 'erc6492', address, factory, factoryData },
  })
  await expectRedeemed((await buy(wallet, reader())).hash)
  expect(await reader().getCode({ address })).not.toBe(undefined)
})
