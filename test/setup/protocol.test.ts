import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  hashCreditPermit,
  isIntentBoundNonce,
  networks,
  orderKey,
  parseCreditPermitMessage,
  redeemIntentNonce,
  settlementHash,
  settlementKinds,
  usdcToken,
} from 'redeemkit/evm'
import * as schema from 'redeemkit/schema'
import { networks as solanaNetworks } from 'redeemkit/solana'
import { networks as stellarNetworks } from 'redeemkit/stellar'
import { keccak256, stringToHex, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { readServiceError } from '../../src/redeemkit/api/readServiceError.ts'
import { centsToAmount } from '../../src/redeemkit/core/amount.ts'
import { blockchains } from '../../src/redeemkit/core/blockchains.ts'
import { wireErrors } from '../../src/redeemkit/core/errors/wireErrors.ts'
import { headerNames } from '../../src/redeemkit/core/headerNames.ts'
import { forbiddenSelectors } from '../../src/sandbox/service/redeem/checkRedeem.ts'
import { routes } from '../../src/sandbox/service/routes.ts'
import permitVector from '../vectors/credit-permit.json' with { type: 'json' }
import intentVector from '../vectors/redeem-intent.json' with { type: 'json' }
import usdcVector from '../vectors/usdc.json' with { type: 'json' }
import { detailedIn, docsPage, protocol } from './repositoryTexts.ts'

/** The numbers and names in PROTOCOL.md and docs/ must equal those in the code and the vectors. */

const root = fileURLToPath(new URL('../..', import.meta.url))

const contractSource = (name: string) => readFileSync(join(root, `contracts/src/${name}.sol`), 'utf8')

/** Returns the text of one section, its parts included: `3`, or `3.1`. */
function sectionOf(number: string): string {
  const start = protocol.search(
    new RegExp(`^##${number.includes('.') ? '#' : ''} ${number.replace('.', '\\.')}[. ]`, 'm'),
  )
  if (start < 0) throw new Error(`PROTOCOL.md has no section ${number}.`)
  const rest = protocol.slice(start + 3)
  const end = rest.search(number.includes('.') ? /^##/m : /^## /m)
  return end < 0 ? rest : rest.slice(0, end)
}

/** Returns all rows of a section's tables, cells without backticks. */
const rowsOf = (number: string) => rowsIn(sectionOf(number))

function rowsIn(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.replaceAll('`', '').trim()),
    )
}

/** Returns the rows of the first table with this cell at its head. */
function tableIn(text: string, head: string): string[][] {
  const rows = rowsIn(text.slice(text.indexOf(`\n| ${head} | `) + 1).split('\n\n')[0] ?? '')
  return rows.slice(1)
}

/** Returns the fenced blocks of a section. */
function blocksOf(number: string, language: string): string[] {
  return [...sectionOf(number).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  )
}

/** `name   value` lines of a section's text blocks; an indented line continues the value. */
function valuesOf(number: string): Record<string, string> {
  const lines = blocksOf(number, 'text')
    .join('\n')
    .replace(/\n {8,}/g, '')
    .split('\n')
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^(\S+) {2,}(\S.*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value]]
    }),
  )
}

describe('worked examples', () => {
  test('the permit is the recorded vector and hashes to its digest', () => {
    const [block = ''] = blocksOf('3.1', 'json')
    expect(JSON.parse(block)).toEqual(JSON.parse(permitVector.message))
    const { domain, permit } = parseCreditPermitMessage(JSON.stringify(JSON.parse(block)))
    const { digest, typehash } = valuesOf('3.1')
    expect(hashCreditPermit({ domain, permit })).toBe(digest)
    expect([digest, typehash]).toEqual([permitVector.digest, permitVector.typehash])
    expect(isIntentBoundNonce(permit.nonce)).toBe(false)
  })

  test('the intent nonce matches the vector and the example’s numbers', () => {
    const values = valuesOf('4.1')
    const vector = intentVector.cases.find(({ name }) => name === 'normal')
    const call = vector?.transactionData.transaction
    expect(values).toMatchObject({
      customerWallet: intentVector.customerWallet,
      salt: intentVector.salt,
      amount: intentVector.amount,
      usdcAmount: vector?.usdcAmount,
      kind: `${settlementKinds.normal}`,
      target: call?.to,
      data: call?.data,
      nftContract: `0x${'00'.repeat(20)}`,
      nftId: '0',
      bridgeHash: `0x${'00'.repeat(32)}`,
      settlementHash: vector?.settlementHash,
      nonce: vector?.nonce,
    })
    // Equal to the vector's values, as checked above.
    const { merchantId = '', purchaseId = '' } = values
    const { orderKey: key, customerWallet, salt, target, data } = values as Record<string, `0x${string}`>
    if (!key || !customerWallet || !salt || !target || !data) throw new Error('A value is missing.')
    expect(orderKey({ merchantId, purchaseId })).toBe(key)
    expect(key).toBe(intentVector.order.orderKey)
    expect(values['keccak256(data)']).toBe(keccak256(data))
    const settlement = settlementHash({ transaction: { to: target, data } })
    expect(settlement).toBe(values.settlementHash)
    const amounts = { amount: BigInt(values.amount ?? ''), usdcAmount: BigInt(values.usdcAmount ?? '') }
    expect(
      redeemIntentNonce({ orderKey: key, customerWallet, salt, settlementHash: settlement, ...amounts }),
    ).toBe(values.nonce)
    for (const known of ['intentTypehash', 'intentTypestring', 'orderTypehash', 'orderTypestring'] as const)
      expect(sectionOf('4.1')).toContain(intentVector[known])
  })

  test('the amounts add up and match the intent', () => {
    const rows = Object.fromEntries(rowsOf('6.1').map(([name, value]) => [name, value?.replaceAll('_', '')]))
    const raw = (name: string) => BigInt(rows[name] ?? '')
    expect(raw('amount')).toBe(centsToAmount(1000))
    expect(raw('usdcAmount')).toBe(centsToAmount(400))
    expect(raw('gasFee')).toBe(centsToAmount(3))
    expect(raw('creditsRawAmount')).toBe(raw('amount') - raw('usdcAmount') + raw('gasFee'))
    expect([rows.amount, rows.usdcAmount]).toEqual([valuesOf('4.1').amount, valuesOf('4.1').usdcAmount])
  })

  test('the error body is valid', () => {
    const [block = ''] = blocksOf('7.1', 'json')
    const body = schema.parseRecord(schema.errorBody, JSON.parse(block))
    expect(wireErrors).toHaveProperty(body.code, expect.objectContaining({ name: body.name }))
  })
})

describe('tables', () => {
  test('wire errors: code, status, name and remedy', () => {
    const rows = rowsOf('7.2').filter(([code = '']) => /^[A-Z_]{5,}$/.test(code))
    expect(rows.map(([code, status, name, remedy]) => [code, Number(status), name, remedy])).toEqual(
      Object.entries(wireErrors).map(([code, { status, name, remedy }]) => [code, status, name, remedy]),
    )
  })

  test('a status without a known code', () => {
    const [said = ''] = /A status without a known code[^.]+/.exec(sectionOf('7.2')) ?? []
    const named = new Map([...said.matchAll(/(\d+) as\s`(\w+)`/g)].map(([, status, code]) => [status, code]))
    const unknown: readonly string[] = said.match(/\d+(?=,[ ,\d]+and everything| and everything)/g) ?? []
    expect([named.size, unknown.length]).toEqual([3, 4])
    for (let status = 400; status < 600; status++) {
      const [first] = Object.entries(wireErrors).find(([, row]) => row.status === status) ?? []
      const known = named.get(`${status}`) ?? (unknown.includes(`${status}`) ? undefined : first)
      const wanted = known ?? (status < 500 ? `HTTP_${status}` : 'INTERNAL')
      expect(readServiceError(status, {}).code, `${status}`).toBe(wanted)
    }
  })

  test('every remedy is explained', () => {
    const explained = rowsOf('7.2')
      .filter(({ length }) => length === 2)
      .map(([remedy]) => remedy)
    expect(explained.slice(1).sort()).toEqual(
      [...new Set(Object.values(wireErrors).map(({ remedy }) => remedy))].sort(),
    )
  })

  test('headers', () => {
    const names = rowsOf('1.2')
      .slice(1)
      .map(([name]) => name)
    expect(names.sort()).toEqual([...Object.values(headerNames()), 'Authorization'].sort())
  })

  test('EVM networks and their USDC', () => {
    const chains = rowsOf('9.1').slice(1)
    expect(chains.map(([name]) => name).sort()).toEqual(blockchains.filter((name) => name !== 'user').sort())
    for (const { blockchain, environment, chainId } of networks)
      expect(chains.find(([name]) => name === blockchain)?.[environment === 'prod' ? 1 : 2]).toBe(
        `${chainId}`,
      )
    const tokens = rowsOf('9.2').filter(([chainId = '']) => /^\d+$/.test(chainId))
    expect(tokens).toEqual(
      networks
        .filter(({ usdc }) => usdc)
        .map(({ chainId }) => usdcToken({ chainId }))
        .map(({ chainId, name, address, domainSeparator }) => [`${chainId}`, name, address, domainSeparator]),
    )
  })

  test('USDC on Solana, Stellar and Tempo', () => {
    const row = (what: string) =>
      rowsOf('9.2')
        .find(([, cell]) => cell?.startsWith(what))
        ?.slice(2)
    const both = <row extends { environment: string }>(rows: readonly row[], pick: (row: row) => string) =>
      ['prod', 'sandbox'].map((name) => rows.filter(({ environment }) => environment === name).map(pick)[0])
    expect(row('mint')).toEqual(both(solanaNetworks, ({ usdcMint }) => usdcMint))
    expect(row('genesis')).toEqual(both(solanaNetworks, ({ genesisHash }) => genesisHash))
    const column = (what: string) =>
      rowsOf('9.2')
        .filter(([, cell]) => cell?.startsWith(what))
        .map(([, , , address]) => address)
    expect(column('issuer')).toEqual(both(stellarNetworks, ({ usdc }) => usdc.issuer))
    expect(column('contract')).toEqual(both(stellarNetworks, ({ usdc }) => usdc.contract))
    expect(row('passphrase')).toEqual(both(stellarNetworks, ({ networkPassphrase }) => networkPassphrase))
    expect(rowsOf('9.1').find(([name]) => name === 'solana')).toEqual([
      'solana',
      ...both(solanaNetworks, ({ name }) => name),
    ])
    expect(rowsOf('9.1').find(([name]) => name === 'stellar')).toEqual([
      'stellar',
      ...both(stellarNetworks, ({ name }) => name),
    ])
    for (const { chainIds } of solanaNetworks)
      for (const id of chainIds) expect(sectionOf('8.3')).toContain(id)
    const { prod, sandbox } = usdcVector.tempo
    for (const address of [prod['USDC.e'], sandbox['USDC.e']]) expect(sectionOf('9.5')).toContain(address)
  })

  test('typehashes are those of their types', () => {
    const [block = ''] = blocksOf('5.1', 'text')
    const types = [...block.matchAll(/^(\w+\(.*\))\n +(0x\w+)$/gm)].map(([, type, hash]) => [type, hash])
    expect(types).toEqual(Object.entries(usdcVector.typehashes))
    const cancel = valuesOf('3.5')
    for (const [type = '', typehash] of [
      ...types,
      [cancel.type, cancel.typehash],
      [valuesOf('3.1').type, valuesOf('3.1').typehash],
      [intentVector.intentTypestring, intentVector.intentTypehash],
      [intentVector.orderTypestring, intentVector.orderTypehash],
    ])
      expect(keccak256(stringToHex(type))).toBe(typehash)
  })

  test('settlement kinds', () => {
    const kinds = Object.keys(settlementKinds)
    const shapes = kinds.map((kind) => (kind === 'knownTokenId' ? 'known token id' : kind))
    expect(
      rowsOf('4.2')
        .slice(1)
        .map(([kind, name]) => [Number(kind), name]),
    ).toEqual(Object.values(settlementKinds).map((kind, at) => [kind, shapes[at]]))
    const [, members = ''] = /enum Kind \{([^}]*)\}/.exec(contractSource('ICredits')) ?? []
    expect(members.match(/\w+/g)).toEqual(kinds.map((kind) => kind[0]?.toUpperCase() + kind.slice(1)))
    expect(
      rowsOf('6.2')
        .slice(1)
        .map(([name]) => name),
    ).toEqual(shapes)
    const listed = (page: string, head: string) =>
      tableIn(docsPage(page), head)
        .map(([name]) => name)
        .sort()
    expect(listed('protocol/records', 'Shape')).toEqual(shapes.sort())
    expect(listed('start/concepts', 'Type')).toEqual([...kinds].sort())
    const [, glossary = ''] =
      rowsIn(docsPage('start/glossary')).find(([word]) => word === 'Transaction type') ?? []
    expect(glossary.split(': ')[1]?.split(', ')).toEqual(kinds)
  })

  test('forbidden selectors', () => {
    const source = contractSource('ForbiddenCalls')
    /** Returns the signatures in a function of the library; OpenZeppelin's interfaces have those of the standards. */
    const signaturesIn = (name: string) => {
      const [, body = ''] = new RegExp(`function ${name}\\(([\\s\\S]*?)\\n    }`).exec(source) ?? []
      return [...body.matchAll(/keccak256\("([^"]+)"\)|(\w+)\.(\w+)\.selector/g)].map(
        ([, signature, of = '', call = '']) => {
          if (signature !== undefined) return signature
          const [, path = ''] = new RegExp(`{${of}} from "([^"]+)"`).exec(source) ?? []
          const standard = readFileSync(join(root, 'node_modules', path), 'utf8')
          const [, inputs = ''] = new RegExp(`function ${call}\\(([^)]*)\\)`).exec(standard) ?? []
          return `${call}(${inputs.split(',').map((input) => input.trim().split(' ')[0])})`
        },
      )
    }
    const [rights, moves] = [signaturesIn('_grantsRights'), signaturesIn('_movesTokens')]
    expect([...forbiddenSelectors].sort()).toEqual([...rights, ...moves].map(toFunctionSelector).sort())
    const namesOf = (signatures: string[]) => new Set(signatures.map((one) => one.split('(')[0]))
    const named = (title: string) => {
      const [, words = ''] =
        new RegExp(`\\*\\*${title}:\\*\\*([\\s\\S]*?)\\.\\n`).exec(sectionOf('6.3')) ?? []
      return new Set(words.match(/(?<=`)\w+(?=`)/g))
    }
    expect(named('Selectors that grant rights')).toEqual(namesOf(rights))
    expect(named('Selectors that move tokens')).toEqual(namesOf(moves))
  })

  test('states of payments, subscriptions and verifications', () => {
    const named = (number: string) =>
      new Set(
        sectionOf(number)
          .match(/`[\w-]+`/g)
          ?.map((name) => name.slice(1, -1)),
      )
    for (const [number, states] of [
      ['10.1', schema.paymentStatus.def.entries],
      ['10.5', schema.subscriptionStatus.def.entries],
      ['10.6', schema.verificationStatus.def.entries],
    ] as const)
      for (const state of Object.keys(states)) expect([...named(number)]).toContain(state)
  })

  test('types of webhooks', () => {
    const rows = rowsOf('10.4')
      .filter(([types = '']) => types.includes('.'))
      .map(([types = '']) => {
        const [first = '', ...more] = types.split(' ')
        return [first, ...more.map((type) => `${first.split('.')[0]}${type}`)]
      })
    expect(rows).toEqual(Object.values(schema.webhookEventTypes))
  })

  test('calls and their headers', () => {
    const letters: Record<string, string> = {
      authorization: 'A',
      sessionKey: 'K',
      wallet: 'W',
      blockchain: 'W',
      userId: 'U',
      merchantId: 'M',
      signedMessage: 'S',
      clientIp: 'I',
      deviceId: 'D',
    }
    const lettersOf = (names: readonly string[]) =>
      [...new Set(names.map((name) => letters[name] ?? name))].sort().join(' ')
    const rows = rowsOf('2.1')
      .filter(([call = '']) => call.includes(' /api/'))
      .map(([call, headers = '']) => [
        call,
        headers
          .match(/(?<!\()\b[A-Z]\b(?!\))/g)
          ?.sort()
          .join(' ') ?? '',
        headers
          .match(/(?<=\()[A-Z](?=\))/g)
          ?.sort()
          .join(' ') ?? '',
      ])
    expect(rows.sort()).toEqual(
      schema.endpoints
        .map(({ method, path, headers: { required, optional, ...rules } }) => [
          `${method} ${path}`,
          // If one of several groups of headers is required, its headers are listed as required.
          lettersOf('oneOf' in rules ? [...required, ...rules.oneOf.flat()] : required),
          'oneOf' in rules ? '' : lettersOf(optional),
        ])
        .sort(),
    )
  })

  test('lists of literals: currencies, blockchains, product types', () => {
    const words = (number: string) => blocksOf(number, 'text').join(' ').split(/\s+/).filter(Boolean)
    expect(words('11.1')).toEqual([...schema.currencies])
    expect(
      sectionOf('11.2')
        .match(/`\w+`/g)
        ?.map((name) => name.slice(1, -1)),
    ).toEqual([...blockchains])
    expect(words('11.9')).toEqual([...schema.productTypes])
  })
})

describe('endpoints', () => {
  const calls = rowsOf('2.1').slice(1)
  const callsOfDocs = ['reference/sandbox', 'protocol/card-form']
    .flatMap((page) => rowsIn(docsPage(page)))
    .filter(([call = '', ...cells]) => /^(?:GET|POST) \/\S+$/.test(call) && cells.length === 2)

  test('each is described in the section that its row names', () => {
    expect(calls.length).toBeGreaterThan(30)
    for (const [call = '', , section = ''] of calls) {
      const [, path = ''] = call.split(' ')
      // The two lists of subscribers share one description.
      if (!path.endsWith('/subscribers')) expect(sectionOf(section), call).toContain(path)
    }
  })

  test('each endpoint of the local service is listed once', () => {
    const answered = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    const listed = [...calls, ...callsOfDocs].map(([call]) => call)
    expect([...new Set(listed)].sort()).toEqual(answered.sort())
  })
})

describe('records', () => {
  type Part = z.core.$ZodTypeDef & {
    shape?: Record<string, z.core.$ZodType>
    element?: z.core.$ZodType
    innerType?: z.core.$ZodType
    options?: readonly z.core.$ZodType[]
  }

  /** Returns the names of a record's own fields, of all its shapes if there are several. Omits the fields of records inside it. */
  function fieldsOf(one: z.core.$ZodType): string[] {
    const { shape, options = [] }: Part = one._zod.def
    return shape === undefined ? options.flatMap(fieldsOf) : Object.keys(shape)
  }

  /** Returns the names of fields at every depth. */
  function allFieldsOf(one: z.core.$ZodType): string[] {
    const { shape = {}, element, innerType, options = [] }: Part = one._zod.def
    const parts = [...Object.values(shape), element, innerType, ...options].filter(
      (part) => part !== undefined,
    )
    return [...Object.keys(shape), ...parts.flatMap(allFieldsOf)]
  }

  const records = Object.entries(schema).flatMap(([name, value]): [string, z.core.$ZodType][] =>
    typeof value === 'object' && '_zod' in value ? [[name, value]] : [],
  )

  /** The docstring of each exported schema. */
  const docs = new Map(
    readdirSync(join(root, 'src/redeemkit/schema'))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) => [
        ...readFileSync(join(root, 'src/redeemkit/schema', file), 'utf8').matchAll(
          /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const (\w+)/g,
        ),
      ])
      .map(([, text = '', name = '']) => [name, text.replace(/\n *\*/g, '')]),
  )

  const wordsOf = (text: string) =>
    new Set([...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.match(/\w+/g) ?? []))

  test('the sections that a record cites name each of its fields', () => {
    expect(records.length).toBeGreaterThan(50)
    const missing = records.flatMap(([name, one]) => {
      const cited = docs.get(name)?.match(/PROTOCOL\.md ([\d.]+(?:(?:,| and) [\d.]+)*)/)?.[1]
      const fields = fieldsOf(one)
      if (cited === undefined) return fields.length > 0 ? [`${name} cites no section`] : []
      const sections = cited.match(/\d+(?:\.\d+)?/g) ?? []
      const pages = sections.flatMap((section) => detailedIn[section] ?? [])
      const named = wordsOf([...sections.map(sectionOf), ...pages.map(docsPage)].join('\n'))
      return fields.filter((field) => !named.has(field)).map((field) => `${name}.${field}: ${cited}`)
    })
    expect(missing).toEqual([])
  })

  test('every field at every depth is named', () => {
    const pages = Object.values(detailedIn).map(docsPage)
    const named = wordsOf([...['2', '7', '10', '11'].map(sectionOf), ...pages].join('\n'))
    const missing = records.flatMap(([name, one]) =>
      allFieldsOf(one)
        .filter((field) => !named.has(field))
        .map((field) => `${name}: ${field}`),
    )
    expect(missing).toEqual([])
  })
})

test('PROTOCOL.md has at most 1,500 lines of at most 140 characters', () => {
  const lines = readFileSync(join(root, 'PROTOCOL.md'), 'utf8').trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(1_500)
  expect(lines.filter(({ length }) => length > 140)).toEqual([])
})
