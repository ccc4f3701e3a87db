import type { Address } from 'viem'
import { InvalidRecordError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { TypedDataMember } from '../eip712/typedData.ts'
import { checkRecord } from '../values.ts'

/** A descriptor for ERC-7730 and its test file, plain JSON. */
export type ClearSigningFile = {
  /** Name in a registry: `name.json`, with its tests in `testsv2/name.tests.json`. */
  name: string
  descriptor: ClearSigningDescriptor
  tests: ClearSigningTests
}

/** The part of a descriptor (ERC-7730, schema 2.0.0) that these use. */
export type ClearSigningDescriptor = {
  $schema: string
  context: {
    eip712: {
      domain: { name: string; version: string }
      deployments: { chainId: number; address: Address }[]
    }
  }
  metadata: {
    owner: string
    info: { url: string }
  }
  display: {
    /** By the message's type, as EIP-712 encodes it. */
    formats: Record<string, { intent: string; fields: ClearSigningField[] }>
  }
}

/** One line that the wallet shows. */
export type ClearSigningField = {
  path: string
  label: string
  format: string
  params?: Readonly<Record<string, unknown>>
  visible?: 'always' | { ifNotIn: string[] }
}

/** A test file of the public registry. */
export type ClearSigningTests = {
  $schema: string
  descriptor: string
  dataProvider: { tokens: Record<string, { symbol: string; decimals: number; name: string }> }
  tests: {
    description: string
    data: { types: object; primaryType: string; domain: object; message: object }
    expected: { intent: string; owner: string; fields: { label: string; value: string }[] }
  }[]
}

/** The immutable schema of this version. Its major version tells a wallet whether it can read the file. */
export const descriptorSchema = 'https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json'

/** From the folder of the test files in a registry. */
export const testsSchema = '../../../specs/erc7730-tests-v2.schema.json'

/** A message's type as EIP-712 encodes it: the key of its format. */
export function encodeType(name: string, members: readonly TypedDataMember[]): string {
  return `${name}(${members.map((member) => `${member.type} ${member.name}`).join(',')})`
}

/** Typed data with integers as decimal text. */
export function asJson<T extends object>(typedData: T): T {
  // the same structure; only bigints become text
  return JSON.parse(
    JSON.stringify(typedData, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
  ) as T
}

/** The fields that several messages have. */
export const sharedFields = {
  wallet: (path: string): ClearSigningField => ({
    path,
    label: 'Wallet',
    format: 'addressName',
    params: { types: ['wallet'], sources: ['local', 'ens'] },
    visible: 'always',
  }),
  end: {
    path: 'validBefore',
    label: 'Valid until',
    format: 'date',
    params: { encoding: 'timestamp' },
    visible: 'always',
  },
  nonce: { path: 'nonce', label: 'Purchase', format: 'raw', visible: 'always' },
} as const satisfies Record<string, ClearSigningField | ((path: string) => ClearSigningField)>

/** A non-empty list of objects. An empty one would describe nothing. */
export function checkList<item extends object>(value: readonly item[], field: string): readonly item[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new InvalidRecordError(`${showValue(value)} is not a list with an entry.`, {
      field,
      fix: `Pass \`${field}\` as a list.`,
    })
  for (const [at, one] of value.entries()) checkRecord(one, `${field}[${at}]`)
  return value
}
