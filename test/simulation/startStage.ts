import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Abi, custom, encodeDeployData, encodeFunctionData, getAddress, type Hex } from 'viem'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import { redeemIntentNonce, settlementHash, settlementOf } from '../../src/redeemkit/evm/index.ts'
import { usdcToken } from '../../src/redeemkit/evm/usdcToken.ts'
import { type Finding, prepareRedeem } from '../../src/redeemkit/index.ts'
import {
  fakeService,
  creditsContract as fixtureContract,
  wallet as fixtureWallet,
  honestAnswer,
  nowSeconds,
  token,
} from '../../src/redeemkit/redeem/redeem.fixture.ts'
import type { TransactionData } from '../../src/redeemkit/schema/index.ts'
import { type AnvilRpc, anvilRpc } from '../../src/sandbox/chains/anvil/anvilRpc.ts'
import { deployCredits, giveCredits, roles } from '../../src/sandbox/chains/anvil/deployCredits.ts'
import { prepareUsdc, type UsdcMint } from '../../src/sandbox/chains/anvil/prepareUsdc.ts'
import { startAnvil } from '../../src/sandbox/chains/anvil/startAnvil.ts'
import { adapterFor } from '../../src/sandbox/simulation/readChain.ts'

export type Stage = {
  client: { request: (call: { method: string; params?: unknown }) => Promise<unknown> }
  url: string
  rpc: AnvilRpc
  giveUsdc: UsdcMint
  chainId: number
  usdc: Hex
  creditsContract: Hex
  bridgeAdapter: Hex
  /** Deploys a contract of `contracts/test/mocks`. Its constructor takes USDC unless other arguments are given. */
  deploy: (name: string, args?: readonly unknown[]) => Promise<{ address: Hex; abi: Abi }>
  /** Default: every function of the contract. */
  allow: (target: Hex, options?: { selector?: Hex; minimumGas?: bigint; chainId?: number }) => Promise<void>
  stop: () => Promise<void>
}

export const creditSeed = 'shop'
export const wallet: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const receiver: Hex = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
export const relayer: Hex = roles.operator.account.address
const deployer: Hex = '0x00000000000000000000000000000000000de910'

export async function startStage(options: { chainId?: number } = {}): Promise<Stage> {
  const { chainId = 84532 } = options
  const anvil = await startAnvil({ chainId })
  try {
    const client = { request: anvil.request }
    const rpc = anvilRpc(custom(client, { retryCount: 0 }))
    const giveUsdc = await prepareUsdc(rpc, { chainId })
    const usdc = usdcToken({ chainId }).address
    const { creditsContract, bridgeAdapter } = await deployCredits(rpc, { service: 'intentBound', usdc })
    await giveUsdc(roles.bank.account.address, 10n ** 13n)
    await giveCredits(rpc, { creditsContract, creditSeed, wallet, amount: 10n ** 12n })
    return {
      client,
      url: anvil.url,
      rpc,
      giveUsdc,
      chainId,
      usdc,
      creditsContract,
      bridgeAdapter: getAddress(bridgeAdapter),
      deploy: async (name, args = [usdc]) => {
        const { abi, bytecode } = artifactOf(name)
        const { contractAddress } = await rpc.send({
          from: deployer,
          data: encodeDeployData({ abi, bytecode, args }),
        })
        if (contractAddress === undefined) throw new Error(`${name} was not deployed.`)
        return { address: getAddress(contractAddress), abi }
      },
      allow: async (target, { selector, minimumGas = 50_000n, chainId: where = chainId } = {}) => {
        const args = [
          creditSeed,
          BigInt(where),
          target,
          selector ?? '0x00000000',
          selector === undefined,
          true,
          minimumGas,
        ] as const
        await rpc.send({
          from: roles.whitelister.account.address,
          to: creditsContract,
          data: encodeFunctionData({ abi: creditsAbi, functionName: 'setWhitelist', args }),
        })
      },
      stop: anvil.stop,
    }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

const out = fileURLToPath(new URL('../../contracts/out', import.meta.url))

/** A file may declare several contracts. */
export function artifactOf(name: string): { abi: Abi; bytecode: Hex; deployedBytecode: { object: Hex } } {
  const [file, ...others] = readdirSync(out).filter((folder) => existsSync(`${out}/${folder}/${name}.json`))
  if (file === undefined || others.length > 0)
    throw new Error(
      `contracts/out has ${file === undefined ? 'no' : 'more than one'} ${name}. Remove the folder, then run: npm run contracts:build.`,
    )
  const artifact = JSON.parse(readFileSync(`${out}/${file}/${name}.json`, 'utf8'))
  return { ...artifact, bytecode: artifact.bytecode.object }
}

/** A fake service issues the permit. */
export async function dryRunOn(
  stage: Pick<Stage, 'client' | 'chainId' | 'creditsContract'>,
  options: {
    transactionData: TransactionData
    wallet?: Hex | undefined
    amount?: bigint | undefined
    usdcAmount?: bigint | undefined
    node?: Stage['client'] | undefined
  },
): Promise<readonly Finding[]> {
  const { transactionData, wallet: customer = wallet, amount = 10_000_000n, usdcAmount = 0n } = options
  const { client, chainId, creditsContract } = stage
  const { kind } = settlementOf(transactionData)
  const bridgeAdapter = await adapterFor(client, { creditsContract, kind })
  const service = fakeService({
    client: { wallet: customer, now: Date.now },
    answer: (body) => {
      const validFor = Math.floor(Date.now() / 1000) - nowSeconds + 600
      const answer = honestAnswer({ ...body, transactionData: token }, { validFor })
      const nonce = redeemIntentNonce({
        orderKey: body.orderKey,
        customerWallet: customer,
        settlementHash: settlementHash(transactionData, { bridgeAdapter }),
        amount,
        usdcAmount,
        salt: body.salt,
      })
      const text = JSON.stringify(answer)
        .replaceAll(answer.nonce, nonce)
        .replaceAll(fixtureContract, creditsContract)
        .replaceAll(fixtureWallet, customer)
        .replaceAll('my-shop', creditSeed)
      return JSON.parse(text)
    },
  })
  const prepared = await prepareRedeem(service.client, {
    chainId,
    subtotal: { cents: Number(amount / 10_000n) },
    ...(usdcAmount > 0n && { usdcAmount: { cents: Number(usdcAmount / 10_000n) } }),
    transactionData,
    pinned: { creditsContract, creditSeed },
    dryRun: options.node ?? client,
  })
  if (prepared.dryRun === undefined) throw new Error('The dry run is missing.')
  return prepared.dryRun
}
