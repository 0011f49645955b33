import { expect, test } from 'vitest'
import { oneSelect } from './statement.ts'

test.each([
  ['select 1', 'select 1'],
  [' SELECT 1 ; ', 'SELECT 1'],
  ['with a as (select 1) select * from a', 'with a as (select 1) select * from a'],
  ['select \';\' as "a;b", [c;d] -- ; drop\n', 'select \';\' as "a;b", [c;d] -- ; drop'],
  ["select 'it''s; fine'", "select 'it''s; fine'"],
  ['/* note; */ select 1', '/* note; */ select 1'],
])('%j is one SELECT', (sql, found) => {
  expect(oneSelect(sql)).toBe(found)
})

test.each([
  'drop table t',
  'select 1; drop table t',
  'select 1; select 2',
  "select 1 /* ; */; attach 'x' as y",
  'pragma writable_schema = 1',
  "attach database '/tmp/x.db' as x",
  'explain select 1',
  'values (1)',
  "select 'open",
  'select 1 /* open',
  '(select 1)',
  '',
  ' -- nothing\n',
  'select 1\0; drop table t',
  'begin; select 1',
  "vacuum into '/tmp/x'",
])('%j is refused', (sql) => {
  expect(() => oneSelect(sql)).toThrow(expect.objectContaining({ code: 'refused' }) as Error)
})
