import {
  type Abi,
  createPublicClient,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  type LocalAccount,
  type PublicClient,
  parseSignature,
  type TransactionReceipt,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import { orderKeyOf } from '../../src/redeemkit/evm/index.ts'
import { createPaymentsClient } from '../../src/redeemkit/index.ts'
import type {
  CreditsAuthMsgBody,
  CreditsAuthMsgResponse,
  SendGaslessTxBody,
} from '../../src/redeemkit/schema/index.ts'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'
import { devAccount, type RunningSandbox, type SandboxChain } from '../../src/sandbox/index.ts'

/** Uses only HTTP and viem, like a client written without redeemkit. */
export type Caller = {
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>
}

// biome-ignore lint/suspicious/noExplicitAny: the tests check a service's response field by field
export type Answer = { status: number; body: any; headers: Headers }

type Requester = { request: (path: string, init?: RequestInit) => Response | Promise<Response> }

export function caller(app: Requester): Caller {
  const answer = async (response: Response): Promise<Answer> => {
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: response.headers,
    }
  }
  return {
    get: async (path, headers = {}) => answer(await app.request(path, { headers })),
    post: async (path, body, headers = {}) =>
      answer(
        await app.request(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
  }
}

export function overHttp(url: string): Requester {
  return { request: (path, init) => fetch(`${url}${path}`, init) }
}

export const customer = (wallet: string, blockchain = 'base') => ({
  'x-svc-auth-wallet': wallet,
  'x-svc-auth-blockchain': blockchain,
})

export const creditsAuthMsgPath = '/api/redeem/evm/creditsAuthMsg'
export const sendGaslessTxPath = '/api/redeem/evm/sendGaslessTx'

export type Payment = 'credits' | 'V1' | 'V2'

type Key = Pick<LocalAccount, 'address' | 'signTypedData'>

/** Prepares and signs a redeem without redeemkit. A test can change the body before it sends it. */
export async function signedBody(
  service: Caller,
  options: {
    request: CreditsAuthMsgBody
    /** Default: the key's address. */
    wallet?: Hex
    key: Key
    blockchain?: string
    payment?: Payment
    /** Converts a key's signature into the wallet's signature. */
    seal?: (signature: Hex) => Hex
  },
): Promise<SendGaslessTxBody> {
  const { request, key, wallet = key.address, blockchain = 'base' } = options
  const { payment = 'credits', seal = (bytes) => bytes } = options
  const { status, body } = await service.post(creditsAuthMsgPath, request, customer(wallet, blockchain))
  if (status !== 200) throw new Error(`creditsAuthMsg: ${status} ${JSON.stringify(body)}`)
  const answer: CreditsAuthMsgResponse = body
  const { salt: _, orderKey: __, purchaseId: ___, webhookInfo: ____, ...rest } = request
  const signedMessages: {
    permitCredits: Hex
    customerUsdcAuthData?: object
    customerUsdcAuthDataV2?: object
  } = {
    permitCredits: seal(await key.signTypedData(typedData(answer.message))),
  }
  if (answer.usdcAuthorization !== undefined) {
    const { message, messageData } = answer.usdcAuthorization
    const signature = await key.signTypedData(typedData(message))
    if (payment === 'V1') {
      const { r, s, v } = parseSignature(signature)
      signedMessages.customerUsdcAuthData = { ...messageData, v: Number(v), r, s }
    } else signedMessages.customerUsdcAuthDataV2 = { ...messageData, signature: seal(signature) }
  }
  const { validBefore, nonce, creditsRawAmount } = answer
  // The fields of the record.
  return { ...rest, signedMessages, validBefore, nonce, creditsRawAmount } as SendGaslessTxBody
}

/** Pays bob in USDC from alice's credits, or those of another key. */
export function signedPayment(
  service: Caller,
  { merchantId, accounts: { alice, bob } }: Pick<RunningSandbox, 'merchantId' | 'accounts'>,
  { cents = 100, key = alice.account }: { cents?: number; key?: Key } = {},
): Promise<SendGaslessTxBody> {
  const transactionData = { type: 'token', destination: bob.address } as const // keeps `type` a literal
  return signedBody(service, { request: { merchantId, subtotal: { cents }, transactionData }, key })
}

/** The sandbox's own service stays idle, because only one service may manage the operator's nonces. */
export function lentChain(
  { chains }: Pick<RunningSandbox, 'chains'>,
  blockchain: 'base' | 'arbitrum' = 'base',
) {
  const { rpcUrl, creditsContract } = chains[blockchain] as SandboxChain // the sandbox starts it by default
  return { blockchain, rpcUrl, creditsContract, operatorKey: devAccount('operator').privateKey }
}

/** Converts the JSON numbers to what viem expects. */
function typedData(text: string): Parameters<Key['signTypedData']>[0] {
  const { types, message, ...rest } = JSON.parse(text)
  const { EIP712Domain: _, ...own } = types
  const values = Object.fromEntries(
    Object.entries(message).map(([name, value]) => [name, typeof value === 'number' ? BigInt(value) : value]),
  )
  return { ...rest, types: own, message: values }
}

export function publicClient(rpcUrl: string): PublicClient {
  return createPublicClient({ transport: http(rpcUrl), pollingInterval: 20 })
}

export function clientOf(
  { url, merchantId }: Pick<RunningSandbox, 'url' | 'merchantId'>,
  options: { wallet: Hex; blockchain?: 'base' | 'arbitrum' },
) {
  return createPaymentsClient({
    baseUrl: url,
    merchantId,
    blockchain: 'base',
    environment: 'sandbox',
    ...options,
  })
}

/** In raw units. */
export function readCredits(
  { rpcUrl, creditsContract }: Pick<SandboxChain, 'rpcUrl' | 'creditsContract'>,
  creditSeed: string,
  wallet: Hex,
): Promise<bigint> {
  const args = [creditSeed, wallet] as const
  return publicClient(rpcUrl).readContract({
    address: creditsContract,
    abi: creditsAbi,
    functionName: 'creditsOf',
    args,
  })
}

/** In raw units. */
export function readUsdc(
  { rpcUrl, usdc }: Pick<SandboxChain, 'rpcUrl' | 'usdc'>,
  wallet: Hex,
): Promise<bigint> {
  const args = [wallet] as const
  return publicClient(rpcUrl).readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args })
}

/** Returns the redeems of the given orders (one nonce of each), or all on the chain. */
export function redeemedEvents(
  { rpcUrl, creditsContract }: Pick<SandboxChain, 'rpcUrl' | 'creditsContract'>,
  nonces?: readonly Hex[],
) {
  return publicClient(rpcUrl).getContractEvents({
    address: creditsContract,
    abi: creditsAbi,
    eventName: 'Redeemed',
    ...(nonces !== undefined && { args: { orderKey: nonces.map(orderKeyOf) } }),
    fromBlock: 0n,
    strict: true,
  })
}

export async function redeemHashes(...query: Parameters<typeof redeemedEvents>): Promise<Hex[]> {
  return (await redeemedEvents(...query)).map(({ transactionHash }) => transactionHash)
}

/** Anvil's first account, which pays for the tests' own transactions. */
const builder = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

type Anvil = {
  client: PublicClient
  rpc: (method: string, params: unknown[]) => Promise<unknown>
  /** Waits for the receipt, and throws if the transaction reverted. */
  send: (transaction: { from?: Hex; to?: Hex; data?: Hex; value?: bigint }) => Promise<TransactionReceipt>
  deploy: (abi: Abi, bytecode: Hex, args?: readonly unknown[]) => Promise<Hex>
  call: (
    to: Hex,
    abi: Abi,
    functionName: string,
    args: readonly unknown[],
    from?: Hex,
  ) => Promise<TransactionReceipt>
}

/** For Anvil's own methods, which can send from any account. */
export function anvil(rpcUrl: string): Anvil {
  const client = publicClient(rpcUrl)
  const rpc: Anvil['rpc'] = (method, params) =>
    client.request({ method, params } as never) as Promise<unknown> // Anvil's methods are not in viem's list
  const send: Anvil['send'] = async (transaction) => {
    const { from = builder.address, value, ...rest } = transaction
    await rpc('anvil_impersonateAccount', [from])
    await rpc('anvil_setBalance', [from, '0x3635c9adc5dea00000'])
    const hash = (await rpc('eth_sendTransaction', [
      {
        from,
        ...rest,
        ...(value === undefined ? {} : { value: `0x${value.toString(16)}` }),
        maxFeePerGas: '0xe8d4a51000',
        maxPriorityFeePerGas: '0x0',
      },
    ])) as Hex // a transaction hash
    const receipt = await waitForReceipt(client, hash)
    if (receipt.status !== 'success') throw new Error(`${hash} was reverted`)
    return receipt
  }
  return {
    client,
    rpc,
    send,
    deploy: async (abi, bytecode, args = []) => {
      const { contractAddress } = await send({ data: encodeDeployData({ abi, bytecode, args }) })
      if (!contractAddress) throw new Error('not deployed')
      return contractAddress
    },
    call: (to, abi, functionName, args, from) =>
      send({
        to,
        data: encodeFunctionData({ abi, functionName, args }),
        ...(from === undefined ? {} : { from }),
      }),
  }
}
