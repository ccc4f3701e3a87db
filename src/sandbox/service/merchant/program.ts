import { eq } from 'drizzle-orm'
import { type Hex, toFunctionSignature } from 'viem'
import * as z from 'zod/mini'
import type { EvmBlockchain } from '../../../redeemkit/core/blockchains.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { type ProgramBody, programBody } from '../../../redeemkit/schema/program.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { keyedLock } from '../../process/keyedLock.ts'
import { abiIndex } from '../../simulation/abi/abiIndex.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { programs } from '../../store/tables/index.ts'
import { evmChain } from '../http/customer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { setWhitelist } from './setWhitelist.ts'

/** `POST /api/merchant/program`: a whitelist request, pending until the sandbox route below approves or rejects it. */
export const program: Route = {
  method: 'POST',
  path: '/api/merchant/program',
  handle: async (service, context) => {
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
          // A rejected request may be made again; an approved one stays approved.
          setWhere: eq(programs.status, 'rejected'),
        })
        .returning()
      if (row !== undefined) await emitEvent(work, programEvent(row, at))
    })
    service.relayer.wake()
    return {}
  },
}

type Program =
  | { blockchain: EvmBlockchain; programId: Hex; chain: EvmChain }
  | { blockchain: 'stellar'; programId: string }

/** What is to be whitelisted. On Stellar that is a contract with all of its functions, and the list is the service's own. */
async function programOf(service: Service, body: ProgramBody): Promise<Program> {
  const { blockchain, programId, selector } = body
  if (blockchain !== 'stellar' || (await service.stellarSettlement()) === undefined) {
    const chain = evmChain(service, blockchain, 'blockchain')
    return { blockchain: chain.blockchain, programId: checkNonZeroAddress(programId, 'programId'), chain }
  }
  if (!/^C[A-Z2-7]{55}$/.test(programId))
    throw problem('INVALID_REQUEST', 'On Stellar a contract is named by its address, C….', {
      issues: ['programId'],
    })
  if (selector !== undefined)
    throw problem('INVALID_REQUEST', 'Functions have no selectors on Stellar. Leave it out.', {
      issues: ['selector'],
    })
  return { blockchain, programId }
}

const anySelector = 'any'
const programKey = [programs.merchantId, programs.blockchain, programs.programId, programs.selector]

const gas = 'expected a whole number from 1 to 15500000'
const chainId = 'expected a chain id above 0'

const decisionBody = z.strictObject({
  ...programBody.shape,
  approved: z.boolean(),
  /** Chain of the contract; a decent destination when it is another one. Default: the chain of `blockchain`. */
  chainId: z.optional(z.int(chainId).check(z.positive(chainId))),
  /** Gas that a relayer must leave for the call: what the contract takes (PROTOCOL.md 6.3). Default: 100,000. */
  minimumGas: z.optional(z.int(gas).check(z.minimum(1, gas), z.maximum(15_500_000, gas))),
})

/** `POST /sandbox/program`: the decision that a person at the service makes, here made by the developer. */
export const programDecision: Route = {
  method: 'POST',
  path: '/sandbox/program',
  handle: async (service, context) => {
    const body = await readBody(context, decisionBody)
    const program = await programOf(service, body)
    const merchant = await authorizedMerchant(service, context)
    const { selector = anySelector } = body
    const entry = [merchant.merchantId, program.blockchain, program.programId, selector.toLowerCase()].join()
    return oneAtATime(entry, () => decide(service, { program, merchant, body }))
  },
}

/**
 * Two decisions on one entry at once would each be given the gas that it takes by the state before the other, and the list could say what
 * the chain does not.
 */
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
  const hash = 'chain' in program ? await setOnChain(service, { ...program, ...merchant, body }) : undefined
  const database = await service.database()
  const status = body.approved ? 'approved' : 'rejected'
  const at = new Date(service.now())
  const row = {
    merchantId: merchant.merchantId,
    blockchain,
    programId,
    selector: body.selector?.toLowerCase() ?? anySelector,
    status,
    createdAt: at,
  } as const // for the state's type
  await database.transaction(async (work) => {
    await work.insert(programs).values(row).onConflictDoUpdate({ target: programKey, set: { status } })
    await emitEvent(work, programEvent(row, at))
  })
  service.relayer.wake()
  return hash === undefined ? {} : { hash }
}

async function setOnChain(
  service: Service,
  options: { chain: EvmChain; creditSeed: string; programId: Hex; body: z.infer<typeof decisionBody> },
): Promise<Hex> {
  const { chain, creditSeed, programId, body } = options
  const { selector, chainId, minimumGas, approved } = body
  const { hash } = await setWhitelist(service, {
    chain,
    creditSeed,
    target: programId,
    selector,
    chainId,
    minimumGas: minimumGas === undefined ? undefined : BigInt(minimumGas),
    allowed: approved,
  })
  return hash
}

/** `GET /sandbox/programs`: the merchant's whitelist requests. */
export const programList: Route = {
  method: 'GET',
  path: '/sandbox/programs',
  handle: async (service, context) => {
    const { merchantId } = await authorizedMerchant(service, context)
    const database = await service.database()
    const rows = await database.select().from(programs).where(eq(programs.merchantId, merchantId))
    return {
      programs: rows.map(programRecord),
    }
  },
}

type ProgramRow = typeof programs.$inferSelect

function programRecord({ blockchain, programId, selector, status }: ProgramRow) {
  const signature = signatureOf(selector)
  return {
    blockchain,
    programId,
    ...(selector === anySelector ? {} : { selector, ...(signature !== undefined && { signature }) }),
    status,
  }
}

/** `safeMint(address)`, when it is a function that many contracts have. */
function signatureOf(selector: string): string | undefined {
  // An entry for any function has none.
  const [known] = abiIndex(noAbis).functions.get(selector as Hex) ?? []
  return known && toFunctionSignature(known)
}

const noAbis: readonly [] = []

function programEvent(row: ProgramRow, at: Date) {
  const happened = row.status === 'pending' ? 'requested' : row.status
  return { merchantId: row.merchantId, type: `whitelist.${happened}`, data: programRecord(row), at }
}
