import { fileURLToPath } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { wireErrors } from '../../core/errors/wireErrors.ts'
import { headerNames } from '../../core/headerNames.ts'
import { endpoints, openApiDocument, parseRecord } from '../index.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1 according to a third-party validator', async () => {
    const validator = new Validator()
    const document = openApiDocument({ baseUrl: 'https://payments.example/api/' })
    const { valid, errors } = await validator.validate(structuredClone(document))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
    expect(document.servers).toEqual([{ url: 'https://payments.example' }])
  })

  test('is plain JSON, where every reference has a component, and some endpoint uses every parameter', () => {
    const document = openApiDocument()
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)]
    expect(references.length).toBeGreaterThan(300)
    expect(
      references.filter(([, kind = '', name = '']) => document.components[kind]?.[name] === undefined),
    ).toEqual([])
    const used = new Set(references.flatMap(([, kind, name]) => (kind === 'parameters' ? [name] : [])))
    expect(new Set(Object.keys(document.components.parameters ?? {}))).toEqual(used)
  })

  test('has each endpoint once, and refers to its records by name', () => {
    const { paths, components } = openApiDocument()
    const operations = Object.values(paths).flatMap((path) => Object.values(path))
    expect(operations.map((one) => Object(one).operationId).sort()).toEqual(
      endpoints.map(({ id }) => id).sort(),
    )
    expect(new Set(endpoints.map(({ id }) => id)).size).toBe(endpoints.length)
    expect(paths['/api/checkout/pix']?.post).toMatchObject({
      requestBody: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/pixBody' } } },
      },
      security: [{ sessionKey: [] }],
    })
    expect(components.schemas?.dateTimeText).toEqual({ type: 'string', format: 'date-time' })
  })

  test('has an example for every body, which the body’s schema accepts', () => {
    const { paths } = openApiDocument()
    for (const endpoint of endpoints) {
      if (!('body' in endpoint)) continue
      const { method, path, body, id } = endpoint
      const { content } = Object(paths[path])[method.toLowerCase()].requestBody
      expect(() => parseRecord(body, content['application/json'].example), id).not.toThrow()
    }
  })

  test('has an introduction, a description of each tag, and an example for each required parameter', () => {
    const { info, tags, paths, components } = openApiDocument({ headerPrefix: 'x-other-' })
    expect(info.title).toBe('redeemkit payments API')
    for (const name of ['Authorization', 'x-other-auth-session-key', 'x-other-auth-signed-message'])
      expect(info.description).toContain(`| \`${name}\` |`)
    const used = Object.values(paths).flatMap((path) =>
      Object.values(path).flatMap((one) => Object(one).tags),
    )
    expect(new Set(tags.map(({ name }) => name))).toEqual(new Set(used))
    expect(tags.filter(({ description }) => description === '')).toEqual([])
    const inPaths = Object.values(paths).flatMap((path) =>
      Object.values(path).flatMap((one) => Object(one).parameters),
    )
    const required = [...inPaths, ...Object.values(components.parameters ?? {})].filter((one) => one.required)
    expect(required.length).toBeGreaterThan(10)
    for (const { name, in: place, example } of required)
      if (place !== 'query' && !/client-ip|device-id/.test(name)) expect(example, name).toBeTypeOf('string')
    for (const { content } of Object.values(components.responses ?? {}) as { content: unknown }[])
      expect(Object(content)['application/json'].example).toMatchObject({ code: expect.any(String) })
  })

  test('documents the codes of every error status', () => {
    const { components, paths } = openApiDocument()
    const statuses = new Set(Object.values(wireErrors).map(({ status }) => status))
    expect(Object.keys(components.responses ?? {}).sort()).toEqual(
      [...statuses].map((status) => `error${status}`).sort(),
    )
    expect(components.responses?.error423?.description).toBe('PAYMENT_METHOD_IN_USE, CUSTOMER_BLOCKED')
    expect(Object.keys(Object(paths['/api/withdraw/kyb']?.post).responses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '413', '415', '423', '429', '451', '500', '503']),
    )
  })

  test('marks the endpoints of PROTOCOL.md 2.11, and the records that only these endpoints use', () => {
    const { paths, components } = openApiDocument()
    const mark = 'x-not-of-the-documents'
    for (const { method, path, ofTheDocuments } of endpoints)
      expect(Object(paths[path])[method.toLowerCase()][mark], path).toBe(ofTheDocuments ? undefined : true)
    const isMarked = (name: string) => components.schemas?.[name]?.[mark]
    expect([isMarked('refund'), isMarked('totalsResponse'), isMarked('savedCard')]).toEqual([
      true,
      true,
      true,
    ])
    expect([isMarked('payment'), isMarked('customerInfo')]).toEqual([undefined, undefined])
  })

  test('names the headers with the given prefix', () => {
    const { components, paths } = openApiDocument({ headerPrefix: 'x-other-' })
    const names = headerNames('x-other-')
    expect(components.securitySchemes?.sessionKey).toMatchObject({ in: 'header', name: names.sessionKey })
    expect(components.parameters?.wallet).toMatchObject({ name: names.wallet, required: true })
    expect(components.parameters?.walletIfAny).toMatchObject({ name: names.wallet, required: false })
    expect(JSON.stringify(components)).not.toContain('x-svc-')
    expect(Object(paths['/api/auth/session-key']?.get).description).toBe(
      'Also requires x-other-auth-user-id, or x-other-auth-wallet with x-other-auth-blockchain, or both.',
    )
    expect(() => openApiDocument({ headerPrefix: 'X Other' })).toThrow('cannot begin a header name')
  })
})

describe('the table of endpoints', () => {
  test('is not part of a bundle that uses only one record', async () => {
    const bundleOf = async (contents: string) => {
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: root, loader: 'ts' },
        absWorkingDir: root,
        bundle: true,
        minify: true,
        format: 'esm',
        write: false,
      })
      return outputFiles[0]?.text ?? ''
    }
    expect(await bundleOf("export { endpoints } from './src/redeemkit/schema/index.ts'")).toContain(
      '/api/checkout/pix',
    )
    const one = await bundleOf("export { subtotal, parseRecord } from './src/redeemkit/schema/index.ts'")
    expect(one).not.toContain('/api/')
    expect(one).not.toContain('SweepFixed')
    expect(one).not.toContain('payment.settled')
  })
})
