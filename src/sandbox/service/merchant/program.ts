import { randomUUID } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import { type Hex, toFunctionSignature } from 'viem'
import * as z from 'zod/mini'
import { attempt } from '../../../redeemkit/core/attempt.ts'
import type { EvmBlockchain } from '../../../redeemkit/core/blockchains.ts'
import { defaultMinimumGas, mostMinimumGas } from '../../../redeemkit/core/limits.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { type ProgramBody, programBody } from '../../../redeemkit/schema/merchantOperations.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { keyedLock } from '../../concurrency.ts'
import { setWhitelistCall } from '../../contracts/creditsCalls.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import { parseFunction, parseSelector } from '../../parseSelector.ts'
import { withHeadroom } from '../../relayer/relayerChain.ts'
import { abiIndex } from '../../simulation/abi/abiIndex.ts'
import { minimumGasRange } from '../../simulation/rules/ruleCatalogue.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { merchants, programs } from '../../store/tables/index.ts'
import { evmChain } from '../http/customer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { invalid, problem, type ServiceProblem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { endpoint, route } from '../http/route.ts'
import type { Service } from '../service.ts'

/** `POST /api/merchant/program`: requests a whitelist entry, which is pending until `POST /sandbox/program` decides it. */
export const program = endpoint('requestWhitelist', async (service, context) => {
  const body = await readBody(context, programBody)
  const { blockchain, programId } = await programOf(service, body)
  const { merchantId } = await authorizedMerchant(service, context)
  const database = await service.database()
  const at = new Date(service.now())
  await database.transaction(async (work) => {
    const [row] = await work
      .insert(programs)
      .values({
        merchantId,
        blockchain,
        programId,
        selector: body.selector?.toLowerCase() ?? anySelector,
        status: 'pending',
        createdAt: at,
      })
      .onConflictDoUpdate({
        target: programKey,
        set: { status: 'pending' },
        // A rejected entry can be requested again; an approved entry stays approved.
        setWhere: eq(programs.status, 'rejected'),
      })
      .returning()
    if (row !== undefined) await emitEvent(work, programEvent(row, at))
  })
  service.relayer.wake()
  return {}
})

type Program =
  | { blockchain: EvmBlockchain; programId: Hex; chain: EvmChain }
  | { blockchain: 'stellar'; programId: string }

/** Returns the contract to whitelist. A Stellar entry covers the whole contract, and the service stores it. */
async function programOf(service: Service, body: ProgramBody): Promise<Program> {
  const { blockchain, programId, selector } = body
  if (blockchain !== 'stellar' || (await service.stellarSettlement()) === undefined) {
    const chain = evmChain(service, blockchain, 'blockchain')
    return { blockchain: chain.blockchain, programId: checkNonZeroAddress(programId, 'programId'), chain }
  }
  if (!/^C[A-Z2-7]{55}$/.test(programId))
    throw invalid('programId', 'On Stellar, pass the address of the contract (C…).')
  if (selector !== undefined) throw invalid('selector', 'Stellar functions have no selectors. Omit selector.')
  return { blockchain, programId }
}

const anySelector = 'any'
const programKey = [programs.merchantId, programs.blockchain, programs.programId, programs.selector]

const gas = `expected a whole number from ${minimumGasRange}`
const chainId = 'expected a chain id above 0'

const decisionBody = z.strictObject({
  ...programBody.shape,
  approved: z.boolean(),
  /** Chain of the contract, for a contract that `decent` redeems call. Default: the chain of `blockchain`. */
  chainId: z.optional(z.int(chainId).check(z.positive(chainId))),
  /** Signature of the function with this selector, to show in the list. */
  signature: z.optional(
    z.string().check(z.refine(isSignature, 'expected a function such as "buy(uint256)"')),
  ),
  /** Gas that a relayer must provide for the call (PROTOCOL.md 6.3). */
  minimumGas: z.optional(z.int(gas).check(z.minimum(1, gas), z.maximum(Number(mostMinimumGas), gas))),
})

/** `POST /sandbox/program`: approves or rejects a request. In production, the service's staff decides. */
export const programDecision = route('POST', '/sandbox/program', async (service, context) => {
  const body = await readBody(context, decisionBody)
  const program = await programOf(service, body)
  const merchant = await authorizedMerchant(service, context)
  const { selector = anySelector, signature } = body
  if (signature !== undefined && parseSelector(signature, 'signature') !== selector.toLowerCase())
    throw invalid('signature', 'The selector of this function differs from selector, or selector is missing.')
  const entry = [merchant.merchantId, program.blockchain, program.programId, selector.toLowerCase()].join()
  return oneAtATime(entry, () => decide(service, { program, merchant, body }))
})

/** Serializes the decisions on an entry. Concurrent ones would estimate gas from stale state, and list and chain could differ. */
const oneAtATime = keyedLock()

async function decide(
  service: Service,
  options: {
    program: Program
    merchant: Awaited<ReturnType<typeof authorizedMerchant>>
    body: z.infer<typeof decisionBody>
  },
): Promise<{ hash?: Hex }> {
  const { program, merchant, body } = options
  const { blockchain, programId } = program
  const { selector = anySelector, chainId, minimumGas, approved } = body
  const signature =
    body.signature === undefined ? undefined : parseFunction(body.signature, 'signature').signature
  const { merchantId } = merchant
  const onChain = 'chain' in program && {
    chain: program.chain,
    creditSeed: merchant.creditSeed,
    target: program.programId,
    selector: body.selector,
    chainId,
    minimumGas: BigInt(minimumGas ?? defaultMinimumGas),
    allowed: approved,
  }
  const set = onChain ? await setWhitelist(service, onChain) : {}
  const entry = { merchantId, blockchain, programId, selector, signature, allowed: approved }
  const database = await service.database()
  const at = new Date(service.now())
  await database.transaction(async (work) => {
    const gas = onChain ? Number(onChain.minimumGas) : undefined
    await emitEvent(work, programEvent(await listEntry(work, { ...entry, minimumGas: gas, at }), at))
  })
  service.relayer.wake()
  return set
}

/** Sets an entry on chain as {@link setWhitelist} does, and lists it for the merchant of the credit seed. */
export async function setListedEntry(
  service: Service,
  options: setWhitelist.Options & { signature: string | undefined },
): Promise<void> {
  await setWhitelist(service, options)
  const { chain, creditSeed, target, selector = anySelector, signature, allowed } = options
  const database = await service.database()
  const [merchant] = await database.select().from(merchants).where(eq(merchants.creditSeed, creditSeed))
  if (merchant === undefined) return
  const { merchantId } = merchant
  const minimumGas = Number(options.minimumGas ?? defaultMinimumGas)
  const entry = { merchantId, blockchain: chain.blockchain, programId: target, selector, signature }
  await listEntry(database, { ...entry, minimumGas, allowed, at: new Date(service.now()) })
}

/** Stores an approved or rejected entry. Keeps a function name that is already stored. */
async function listEntry(
  work: Pick<DatabaseWork, 'insert'>,
  entry: Pick<ProgramRow, 'merchantId' | 'blockchain' | 'programId' | 'selector'> & {
    signature: string | undefined
    minimumGas: number | undefined
    allowed: boolean
    at: Date
  },
): Promise<ProgramRow> {
  const { allowed, at, minimumGas = null, signature, selector, ...key } = entry
  const status = allowed ? 'approved' : 'rejected'
  const row = {
    ...key,
    selector: selector.toLowerCase(),
    signature,
    minimumGas,
    status,
    createdAt: at,
  } as const // keeps the literal types
  const [stored] = await work
    .insert(programs)
    .values(row)
    .onConflictDoUpdate({
      target: programKey,
      set: { status, ...(allowed && { minimumGas }), ...(signature !== undefined && { signature }) },
    })
    .returning()
  // The statement always returns the row that it wrote.
  return stored as ProgramRow
}

/** Newest first. */
export const programList = route('GET', '/sandbox/programs', async (service, context) => {
  const { merchantId } = await authorizedMerchant(service, context)
  const database = await service.database()
  const rows = await database
    .select()
    .from(programs)
    .where(eq(programs.merchantId, merchantId))
    .orderBy(desc(programs.createdAt))
  return { programs: rows.map(programRecord) }
})

type ProgramRow = typeof programs.$inferSelect

function programRecord(row: ProgramRow) {
  const { blockchain, programId, selector, minimumGas, status } = row
  const signature = row.signature ?? signatureOf(selector)
  return {
    blockchain,
    programId,
    ...(selector === anySelector ? {} : { selector, ...(signature !== undefined && { signature }) }),
    ...(status === 'approved' && minimumGas !== null && { minimumGas }),
    status,
  }
}

function signatureOf(selector: string): string | undefined {
  // An entry for all functions has no selector.
  const [known] = abiIndex(noAbis).functions.get(selector as Hex) ?? []
  return known && toFunctionSignature(known)
}

const noAbis: readonly [] = []

function isSignature(text: string): boolean {
  return attempt(() => parseFunction(text, 'signature'))?.signature !== undefined
}

function programEvent(row: ProgramRow, at: Date) {
  const happened = row.status === 'pending' ? 'requested' : row.status
  return { merchantId: row.merchantId, type: `whitelist.${happened}`, data: programRecord(row), at }
}

/** Waits until the transaction is mined. */
async function setWhitelist(service: Service, options: setWhitelist.Options): Promise<{ hash: Hex }> {
  const { chain, chainId = chain.chainId, minimumGas = defaultMinimumGas, ...entry } = options
  const account = chain.whitelister
  if (account === undefined)
    throw problem('FORBIDDEN', `This service may not change the whitelist on ${chain.blockchain}.`)
  const request = setWhitelistCall(chain, { ...entry, chainId, minimumGas })
  const gas = await chain.client
    .estimateGas({ account: account.address, ...request })
    .catch((error: unknown) => {
      throw refusal(error) ?? error
    })
  const row = await service.relayer.send({
    chainId: chain.chainId,
    account,
    reference: { kind: 'whitelist', id: randomUUID() },
    request: { ...request, gas: withHeadroom(gas) },
  })
  const { status } = await service.relayer.wait(row)
  if (status !== 'mined') throw new Error(`Whitelist transaction ${row.hash} was ${status}.`)
  return { hash: row.hash }
}

declare namespace setWhitelist {
  type Options = {
    chain: EvmChain
    creditSeed: string
    target: Hex
    /** Default: all functions. */
    selector?: Hex | undefined
    /** Chain of `target`: this chain or a destination of `decent` redeems. Default: this chain. */
    chainId?: number | undefined
    /** Gas that must be available to the call. */
    minimumGas?: bigint | undefined
    allowed: boolean
  }
}

/** Explains why the contract rejected an entry. Returns undefined if the node failed and the call did not revert. */
function refusal(error: unknown): ServiceProblem | undefined {
  const data = revertDataOf(error)
  if (data === undefined) return undefined
  const revert = decodeRevert(data)
  const text = reasons[revert.error?.name ?? '']
  return problem(
    'NOT_WHITELISTED',
    `The whitelist contract rejected this entry: ${revert.reason}.${text === undefined ? '' : ` ${text}`}`,
    {
      details: { revertReason: revert.reason.slice(0, 1_000), ...(revert.error && { error: revert.error }) },
    },
  )
}

/** Explanations of the contract's errors (PROTOCOL.md 6.3). */
const reasons: Readonly<Record<string, string>> = {
  ForbiddenTarget:
    'A redeem may never call USDC, the credits contract, the bridge adapter or Permit2, even if the whitelist allows it.',
  ForbiddenSelector: 'A redeem may never call a function that moves tokens or grants rights over them.',
  TargetWithoutCode: 'This chain has no contract at this address.',
  ZeroAddress: 'Pass the address of a contract.',
  UnsupportedChain: 'Pass the chain of the contract.',
  MinimumGasOutOfBounds: `Pass a minimumGas from ${minimumGasRange}.`,
}
