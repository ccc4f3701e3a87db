import type { Finding, Grant, InspectionKind, Move, Verdict } from '../finding/finding.ts'
import type { FindingCode } from '../finding/findingCatalogue.ts'
import type { LabelKey, SentenceKey } from './inspectionTexts.ts'

/** The description of a request, with its problems. `formatInspection` renders `title` and `lines` in a language. */
export type Inspection<details = unknown> = {
  /** Key of `inspectionKinds`; `unknown` for an unrecognized request. */
  kind: InspectionKind
  verdict: Verdict
  /** One sentence. That of a refused request names a problem, and never describes a purchase. */
  title: InspectionSentence
  /** The facts of the request with their labels. Contract and chain are among them where the request has them. */
  lines: readonly InspectionLine[]
  /** What leaves or reaches an account when the request is executed, as far as it can be read. */
  moves: readonly Move[]
  /** What others may take later. */
  grants: readonly Grant[]
  digests: InspectionDigests
  findings: readonly Finding[]
  /** The decoded request. */
  details: details
  /** Title and lines as English text. */
  summary: string
}

/** A sentence: a key of the texts, and the values of its placeholders. */
export type InspectionSentence = {
  key: SentenceKey
  values: Readonly<Record<string, InspectionValue>>
  /** English text of a sentence that only one chain has. */
  english?: string | undefined
}

export type InspectionLine = {
  key: LabelKey
  value: InspectionValue
  /** Name of a field of the request, which is then the label. The request chose it. */
  field?: string | undefined
}

/** A typed value of a sentence or a line. */
export type InspectionValue =
  | {
      type: 'amount'
      /** Raw units. */
      amount: bigint | 'unlimited'
      /** `undefined` for a token that is not known. */
      decimals: number | undefined
      /** `USD` for dollars of credits or of a price; empty for a number alone; `undefined` for a token that is not known. */
      symbol: string | undefined
      /** Contract of the token; `undefined` for the chain's own coin and for dollars. */
      token?: string | undefined
    }
  | { type: 'address'; address: string; name?: string | undefined }
  /** Unix seconds; `undefined`: it does not expire. */
  | { type: 'time'; seconds: bigint | undefined; now: bigint }
  | { type: 'duration'; seconds: bigint }
  | { type: 'chain'; chainId: number | undefined; name?: string | undefined }
  /** Ready to show on one line. Text of others is quoted, with everything invisible written out. */
  | { type: 'text'; text: string }
  | { type: 'kind'; kind: InspectionKind }
  | { type: 'list'; items: readonly InspectionValue[] }
  | { type: 'finding'; code: FindingCode; message: string }
  | { type: 'sentence'; sentence: InspectionSentence }

/** Digests of a request, named as ERC-8213 names them. A wallet shows them to users who compare them with another device. */
export type InspectionDigests = {
  /** EIP-191: the hash of a text that `personal_sign` signs. */
  eip191?: `0x${string}` | undefined
  /** "EIP-712 Digest". */
  eip712?: `0x${string}` | undefined
  /** "Domain Hash". Show it only together with the message hash. */
  domainHash?: `0x${string}` | undefined
  /** "Message Hash". Show it only together with the domain hash. */
  messageHash?: `0x${string}` | undefined
  /** "Calldata Digest" of each call with data, in order. */
  calldata?: readonly `0x${string}`[] | undefined
}
