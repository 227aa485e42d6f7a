import { type Static, Type } from '@sinclair/typebox'
import type { Db } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'

/** A record that stays, with the reason for the merchant. */
export const Kept = Type.Object({ targetId: Id, message: Type.String() })
export type Kept = Static<typeof Kept>

/** Takes back what an import did to records of one kind, and returns those that stay. */
export type Remover = (tx: Db, shopId: number, importId: number, ids: number[]) => Promise<readonly Kept[]>
