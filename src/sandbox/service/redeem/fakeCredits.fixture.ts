import {
  type ContractErrorName,
  concat,
  custom,
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionResult,
  getAbiItem,
  type Hex,
  hexToBytes,
  keccak256,
  numberToHex,
  pad,
  stringToHex,
  TimeoutError,
  toFunctionSelector,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { redeemProbeAbi } from '../../../../contracts/generated/RedeemProbe.ts'
import { commitmentOf, orderKeyOf } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { connectEvmChain } from '../../chains/connectEvmChain.ts'
import type { Destination } from '../../chains/evmChain.ts'
import type { Relayer } from '../../relayer/createRelayer.ts'
import { adapter } from '../../relayer/relayer.fixture.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import { type RedeemRequest, readRedeems } from '../../simulation/redeemRequest.ts'
import {
  bridgeMessages,
  transactions as journal,
  orderClaims,
  redeems,
  walletTurns,
} from '../../store/tables/index.ts'
import { createApp } from '../http/createApp.ts'
import { testService } from '../service.fixture.ts'
import type { ReadyRedeem } from '../service.ts'
import { creditsAuthMsg } from './creditsAuthMsg.ts'
import { createRedeemQueue } from './redeemQueue.ts'
import { sendGaslessTx } from './sendGaslessTx.ts'

export const alice = privateKeyToAccount(`0x${'a1'.repeat(32)}`)
export const shop: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const creditsContract: Hex = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const operatorKey: Hex = `0x${'11'.repeat(32)}`

/** Time of the newest block, in unix seconds. It equals the clock of {@link testService}. */
export const now = BigInt(Date.parse('2026-05-01T12:00:00Z') / 1000)

/** 100,000 gas at 1 gwei and 3,000.00 USD per coin cost 0.30 USD. */
export const gas = 100_000n
export const fee = 300_000n

export const tenDollars = {
  merchantId: 'shop',
  subtotal: { cents: 1000 },
  transactionData: { type: 'token', destination: shop },
}

export type Order = { state: 1 | 2; nonce: Hex; seed?: string; target?: Hex }

export const revertWith = (errorName: ContractErrorName<typeof creditsAbi>, args: readonly unknown[] = []) =>
  Object.assign(new Error('execution reverted'), {
    code: 3,
    // Each caller passes the values that its error needs.
    data: encodeErrorResult({ abi: creditsAbi, errorName, args } as never),
  })

/** An in-memory chain with a credits contract, which returns all state that a service reads before it sends a redeem. */
export function fakeCredits(blockchain: 'base' | 'arbitrum' = 'base') {
  const chain = {
    credits: 1_000_000_000n,
    orders: new Map<string, Order>(),
    /** Whether the contract has orders. Contracts with random nonces have none. */
    hasOrders: true,
    timestamp: now,
    walletCode: '0x' as Hex,
    isBlocked: false,
    isPaused: false,
    /** Whether USDC can block wallets and be paused. */
    hasControls: true,
    isWhitelisted: true,
    /** Whether the node supports state overrides in `eth_call`. A `silent` node does not respond to such a call in time. */
    hasProbe: true as boolean | 'silent',
    isDown: false,
    /** Simulates a redeem: returns its gas, or throws a revert. */
    simulate: (): bigint => gas,
    events: [] as object[],
    receipt: null as object | null,
    asked: [] as string[],
    simulated: [] as RedeemRequest[],
    /** Simulates the call of a wallet's factory: returns its gas, or throws a revert. */
    deploy: (): bigint => 1_000_000n,
  }
  const orderOf = (orderKey: Hex) => {
    const order = chain.orders.get(orderKey.toLowerCase())
    const commitment: Hex = order === undefined ? `0x${'00'.repeat(20)}` : commitmentOf(order.nonce)
    return { orderState: order?.state ?? 0, commitment, time: order === undefined ? 0n : now }
  }
  const simulate = (data: Hex, isAgreeable = false) => {
    const [request] = readRedeems(data)
    if (request === undefined) throw new Error('The fake contract only simulates redeems.')
    chain.simulated.push(request)
    // A key's signature is not verified here; a contract's signature needs the wallet's code.
    if (request.permit.signature.length !== 132 && chain.walletCode === '0x' && !isAgreeable)
      throw revertWith('InvalidPermitSignature', [alice.address, pad('0x')])
    return chain.simulate()
  }

  function call(to: Hex | undefined, data: Hex): Hex {
    // A call without a receiver runs init code that verifies a wallet's signature (ERC-1271), after deploying the wallet if needed.
    if (to === undefined || to === alice.address) return `0x1626ba7e${'0'.repeat(56)}`
    if (to.toLowerCase() === own.operator.address.toLowerCase()) return probe(data)
    if (to === own.usdc) {
      if (!chain.hasControls) return '0x'
      const isTrue = data.startsWith(isBlacklisted) ? chain.isBlocked : chain.isPaused
      return pad(numberToHex(isTrue ? 1 : 0))
    }
    const { functionName, args = [] } = decodeFunctionData({ abi: creditsAbi, data })
    const result = {
      creditsOf: () => chain.credits,
      orderState: () => {
        if (!chain.hasOrders) throw new Error('execution reverted')
        const { orderState, commitment, time } = orderOf(args[1] as Hex)
        return [orderState, commitment, time]
      },
      whitelisted: () => [chain.isWhitelisted, chain.isWhitelisted],
      bridgeAdapter: () => adapter,
    }[functionName as string]
    if (result === undefined) throw new Error(`The fake contract has no ${functionName}.`)
    return encodeFunctionResult({ abi: creditsAbi, functionName, result: result() } as never)
  }

  function probe(data: Hex): Hex {
    if (chain.hasProbe === 'silent') throw new TimeoutError({ body: {}, url: 'http://127.0.0.1:1' })
    if (!chain.hasProbe) throw new Error('State overrides are not supported.')
    const { args } = decodeFunctionData({ abi: redeemProbeAbi, data })
    const questions = args[1] as readonly { orderKey: Hex; attempt: Hex }[]
    const result = questions.map(({ orderKey, attempt }) => {
      let gasUsed = 0n
      let success = false
      try {
        if (attempt !== '0x') {
          gasUsed = simulate(attempt) - intrinsicGas(attempt)
          success = true
        }
      } catch {
        // The probe does not report reasons, so the service simulates again to explain a failure.
      }
      const walletHasCode = chain.walletCode !== '0x'
      return {
        ...orderOf(orderKey),
        credits: chain.credits,
        walletHasCode,
        isBlocked: chain.isBlocked,
        success,
        gasUsed,
      }
    })
    return encodeFunctionResult({ abi: redeemProbeAbi, functionName: 'ask', result } as never)
  }

  function logs(): object[] {
    return [...chain.orders.values()]
      .filter(({ state }) => state === 1)
      .map(({ nonce, seed = 'shop', target = shop }) => ({
        address: creditsContract,
        topics: encodeEventTopics({
          abi: creditsAbi,
          eventName: 'Redeemed',
          args: {
            customerWallet: alice.address,
            orderKey: orderKeyOf(nonce),
            creditSeedHash: keccak256(stringToHex(seed)),
          },
        }),
        data: encodeAbiParameters(getAbiItem({ abi: creditsAbi, name: 'Redeemed' }).inputs.slice(3), [
          nonce,
          BigInt(target),
          10_000_000n << 128n,
          fee,
        ]),
        blockNumber: '0x9',
        blockHash: pad('0x9'),
        transactionHash: thirdParty,
        logIndex: '0x0',
      }))
  }

  const block = () => ({
    number: '0xa',
    hash: pad('0xa'),
    parentHash: pad('0x9'),
    timestamp: numberToHex(chain.timestamp),
    baseFeePerGas: numberToHex(10n ** 9n),
    transactions: [],
  })
  const answers: Record<string, (params: [never, never, never]) => unknown> = {
    eth_getBlockByNumber: block,
    eth_blockNumber: () => '0xa',
    eth_feeHistory: () => ({ oldestBlock: '0x0', baseFeePerGas: [], gasUsedRatio: [], reward: [['0x0']] }),
    eth_getCode: () => chain.walletCode,
    eth_call: ([{ to, data }]: [{ to?: Hex; data: Hex }, never, never]) => call(to, data),
    eth_estimateGas: ([{ to, data }, , overrides]: [{ to: Hex; data: Hex }, never, object?]) =>
      numberToHex(
        to === creditsContract ? simulate(data, alice.address in (overrides ?? {})) : chain.deploy(),
      ),
    eth_getLogs: logs,
    eth_getTransactionReceipt: () => chain.receipt,
    eth_simulateV1: () => [{ calls: [{ logs: chain.events, status: '0x1' }] }],
  }
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    chain.asked.push(method)
    const answer = answers[method]
    if (answer === undefined || chain.isDown) throw new Error(`The fake node has no ${method}.`)
    return answer(params as [never, never, never]) // each method reads its own parameters
  }
  const own = connectEvmChain(
    {
      blockchain,
      rpcUrl: 'http://127.0.0.1:1',
      creditsContract,
      operatorKey,
      transport: custom({ request }, { retryCount: 0 }),
    },
    'sandbox',
  )
  const destinations = new Map([[421_614, {} as Destination]]) // only the number of destinations matters here
  return { ...own, destinations, state: chain }
}

/** Intrinsic gas of a transaction, charged before its first instruction (EIP-2028). */
const intrinsicGas = (data: Hex) =>
  hexToBytes(data).reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 21_000n)

const isBlacklisted = toFunctionSelector('isBlacklisted(address)')

/** Hash of the transaction with which a third party relayed a redeem. */
export const thirdParty: Hex = `0x${'77'.repeat(32)}`

/** A nonce of the same order with different terms. */
export const otherAttempt = (nonce: Hex): Hex => concat([orderKeyOf(nonce), `0x${'0b'.repeat(20)}`])

/** A service with two chains and a database, whose transactions are recorded instead of sent. */
export async function redeemService() {
  const { service, close, setTime } = await testService()
  const sent: ReadyRedeem[] = []
  let transactions = 0
  const fixture = {
    service,
    close,
    setTime,
    sent,
    /** All other transactions. */
    others: [] as Pick<Relayer.Request, 'reference' | 'request'>[],
    base: fakeCredits('base'),
    arbitrum: fakeCredits('arbitrum'),
    transactions: () => transactions,
    reset: async (kind: ServiceKind = 'intentBound') => {
      const database = await service.database()
      for (const table of [redeems, orderClaims, walletTurns, bridgeMessages, journal])
        await database.delete(table)
      sent.length = 0
      fixture.others = []
      transactions = 0
      fixture.base = fakeCredits('base')
      fixture.arbitrum = fakeCredits('arbitrum')
      service.chains = new Map([
        ['base', fixture.base],
        ['arbitrum', fixture.arbitrum],
      ])
      for (const { state } of [fixture.base, fixture.arbitrum]) state.hasOrders = kind === 'intentBound'
      service.kind = kind
      service.settings = { ...service.settings, gasFeePayer: 'customer', requireSignIn: false }
      service.onError = undefined
      service.relayer = {
        wake: () => {},
        send: async ({ reference, request }: Relayer.Request) =>
          void fixture.others.push({ reference, request }),
        wait: async () => {
          fixture.base.state.walletCode = '0x60'
        },
      } as never // no other field is needed
      const queue = createRedeemQueue({
        database: service.database,
        relayer: {
          send: async ({ also }) => {
            const row = { hash: hashOf(++transactions) } as never // the queue reads no other field
            await database.transaction(async (work) => also?.(work as never, row))
            return row
          },
        },
        now: service.now,
        kind,
        isShared: async () => false,
      })
      service.redeemQueue = {
        send: (ready) => {
          sent.push(ready)
          return queue.send(ready)
        },
      }
    },
  }
  await fixture.reset()
  return fixture
}

export const hashOf = (number: number) => pad(numberToHex(number))

type Fixture = Awaited<ReturnType<typeof redeemService>>

export async function post(
  { service }: Fixture,
  route: 'creditsAuthMsg' | 'sendGaslessTx',
  body: object,
  headers: Record<string, string> = {},
) {
  const app = createApp(service, [creditsAuthMsg, sendGaslessTx])
  const response = await app.request(`/api/redeem/evm/${route}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-svc-auth-wallet': alice.address,
      'x-svc-auth-blockchain': 'base',
      ...headers,
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}
