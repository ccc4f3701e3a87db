import { encodeFunctionData, erc721Abi, type Hex, parseAbi, zeroAddress } from 'viem'
import type { PlayedAnswer, PlayedCall } from '../node/playCalls.ts'
import type { CallFrame, ReportedNft } from '../redeemReport.ts'
import { sameAddress } from '../trace/frames.ts'
import { type TokenMove, tokenMoves } from '../trace/tokenMoves.ts'
import { usdcApprovals } from '../trace/usdcMoves.ts'
import { addressOf } from './readChain.ts'

/** Asks contracts before the redeem and after it. `undefined` when the node has forgotten that state. */
export type Look = (calls: readonly PlayedCall[]) => Promise<
  | {
      before: readonly PlayedAnswer[]
      after: readonly PlayedAnswer[]
    }
  | undefined
>

/** A token that moved, with who has it, and who had it by the events of its contract. */
export type TokenInTheEnd = Omit<ReportedNft, 'holderIs'> & {
  /** Whom the last event says that it went to. */
  claimed: Hex
  /** Whether the holder had it before the redeem. */
  wasThere: boolean
}

/** An allowance of USDC that the redeem changed. */
export type AllowanceInTheEnd = { owner: Hex; spender: Hex; before: bigint; after: bigint }

/**
 * Who has the tokens and allowances that the events tell of: asked of the contracts, for an event can say anything. Nothing is
 * asked when there is none.
 */
export async function tokensOf(
  root: CallFrame,
  options: {
    look: Look
    usdc: Hex
    creditsContract: Hex
    relayer: Hex
    /** The token that was sold, when it is known: asked for whatever the events say. */
    sold: { contract: Hex; id: bigint; to: Hex } | undefined
  },
): Promise<{ tokens: readonly TokenInTheEnd[]; allowances: readonly AllowanceInTheEnd[] }> {
  const { look, usdc, creditsContract, relayer, sold } = options
  const told = lastMoves(tokenMoves(root).filter(({ contract }) => !sameAddress(contract, usdc)))
  const isTold = told.some(({ contract, id }) => sameAddress(contract, sold?.contract) && id === sold?.id)
  const moves = sold === undefined || isTold ? told : [...told, soldMove(sold)]
  const approvals = usdcApprovals(root, usdc)
    .filter(({ owner }) => !sameAddress(owner, creditsContract))
    .slice(0, mostAsked)
  const questions = moves.flatMap((move) => questionsOf(move, [move.to, creditsContract, relayer]))
  const calls = [
    ...questions.map(({ call }) => call),
    ...approvals.map(({ owner, spender }) => allowanceCall(usdc, owner, spender)),
  ]
  if (calls.length === 0) return { tokens: [], allowances: [] }
  const seen = await look(calls)
  // Then the events are all that there is.
  if (seen === undefined) return { tokens: moves.map(byEvents), allowances: [] }
  const { before, after } = seen
  return {
    tokens: moves.map((move) => holderOf(move, { questions, before, after })),
    allowances: approvals.map(({ owner, spender }, index) => ({
      owner,
      spender,
      before: before[questions.length + index]?.words[0] ?? 0n,
      after: after[questions.length + index]?.words[0] ?? 0n,
    })),
  }
}

/** More than that nobody reads, and no node answers. */
const mostAsked = 64

type LastMove = TokenMove & { mintedTo: Hex | undefined }

const soldMove = (sold: { contract: Hex; id: bigint; to: Hex }): LastMove => ({
  ...sold,
  standard: 'ERC-721',
  amount: 1n,
  from: zeroAddress,
  mintedTo: undefined,
})

/** The last word of the events on each token; of an ERC-1155 id there are several, one for each account it went to. */
function lastMoves(moves: readonly TokenMove[]): LastMove[] {
  const last = new Map<string, LastMove>()
  for (const move of moves) {
    const { contract, standard, id, from, to } = move
    const one = `${contract}/${id}`
    const mintedTo =
      from === zeroAddress ? to : (last.get(`${one}/${from}`)?.mintedTo ?? last.get(one)?.mintedTo)
    if (standard === 'ERC-721') last.set(one, { ...move, mintedTo })
    else {
      // What it went on with is no longer where it was.
      last.delete(`${one}/${from}`)
      last.set(`${one}/${to}`, { ...move, mintedTo })
    }
  }
  return [...last.values()].slice(0, mostAsked)
}

const byEvents = ({ from: _, to, ...token }: LastMove): TokenInTheEnd => ({
  ...token,
  holder: to,
  claimed: to,
  wasThere: false,
})

type Question = { move: LastMove; account: Hex | undefined; call: PlayedCall }

function questionsOf(move: LastMove, accounts: readonly Hex[]): Question[] {
  const { contract, standard, id } = move
  if (standard === 'ERC-721') return [{ move, account: undefined, call: ownerCall(contract, id) }]
  const asked = accounts.filter(
    (account, place) => accounts.findIndex((one) => sameAddress(one, account)) === place,
  )
  return asked.map((account) => ({ move, account, call: balanceCall(contract, account, id) }))
}

function holderOf(
  move: LastMove,
  answers: {
    questions: readonly Question[]
    before: readonly PlayedAnswer[]
    after: readonly PlayedAnswer[]
  },
): TokenInTheEnd {
  const { contract, standard, id, mintedTo, to: claimed } = move
  const token = { contract, standard, id, mintedTo, claimed }
  const of = answers.questions.flatMap((question, place) =>
    question.move === move
      ? [{ ...question, before: answers.before[place], after: answers.after[place] }]
      : [],
  )
  if (standard === 'ERC-721') {
    const [asked] = of
    const [holder, holderBefore] = [ownerIn(asked?.after), ownerIn(asked?.before)]
    return { ...token, amount: 1n, holder, wasThere: holder === holderBefore }
  }
  const grown = of.map(({ account = claimed, before, after }) => ({
    account,
    by: (after?.words[0] ?? 0n) - (before?.words[0] ?? 0n),
  }))
  const found = grown.find(({ by }) => by > 0n)
  return {
    ...token,
    amount: found?.by ?? move.amount,
    holder: found?.account ?? zeroAddress,
    wasThere: false,
  }
}

function ownerIn(answer: PlayedAnswer | undefined): Hex {
  if (!answer?.succeeded || answer.size < 32 || answer.words[0] >= 2n ** 160n) return zeroAddress
  return addressOf(answer.words[0])
}

const ownerCall = (to: Hex, id: bigint): PlayedCall => ({
  to,
  data: encodeFunctionData({ abi: erc721Abi, functionName: 'ownerOf', args: [id] }),
})

const erc1155Abi = parseAbi(['function balanceOf(address account, uint256 id) view returns (uint256)'])
const balanceCall = (to: Hex, account: Hex, id: bigint): PlayedCall => ({
  to,
  data: encodeFunctionData({ abi: erc1155Abi, functionName: 'balanceOf', args: [account, id] }),
})

const allowanceAbi = parseAbi(['function allowance(address owner, address spender) view returns (uint256)'])
const allowanceCall = (to: Hex, owner: Hex, spender: Hex): PlayedCall => ({
  to,
  data: encodeFunctionData({ abi: allowanceAbi, functionName: 'allowance', args: [owner, spender] }),
})
