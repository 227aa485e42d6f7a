import { type Static, Type } from '@sinclair/typebox'
import { after, document, gid, instant, nullable, page } from './document.ts'

const InventoryItem = Type.Object({
  id: gid('InventoryItem'),
  tracked: Type.Boolean(),
  inventoryLevels: page(
    Type.Object({
      updatedAt: instant,
      location: Type.Object({ id: gid('Location') }),
      quantities: Type.Array(Type.Object({ name: Type.String(), quantity: Type.Integer() })),
    }),
  ),
})
export type InventoryItemNode = Static<typeof InventoryItem>

/** The platform refuses a line whose level is not `changeFromQuantity`; null skips that check. */
const level = {
  inventoryItemId: Type.String(),
  locationId: Type.String(),
  changeFromQuantity: nullable(Type.Integer()),
}
const context = { name: Type.String(), reason: Type.String(), referenceDocumentUri: Type.String() }

const UserError = Type.Object({ field: nullable(Type.Array(Type.String())), message: Type.String() })
const QuantityError = Type.Composite([UserError, Type.Object({ code: nullable(Type.String()) })])
export type QuantityError = Static<typeof QuantityError>

const QuantityChange = Type.Object({
  inventoryAdjustmentGroup: nullable(
    Type.Object({
      createdAt: instant,
      changes: Type.Array(
        Type.Object({
          name: Type.String(),
          quantityAfterChange: nullable(Type.Integer()),
          item: nullable(Type.Object({ id: gid('InventoryItem') })),
          location: nullable(Type.Object({ id: gid('Location') })),
        }),
      ),
    }),
  ),
  userErrors: Type.Array(QuantityError),
})
export type QuantityChange = Static<typeof QuantityChange>

/** The documents for stock. Mutations of quantities carry an idempotency key: the platform applies a key once. */
export const inventoryDocuments = {
  inventoryLevels: document(
    'inventory-levels',
    Type.Object({ ids: Type.Array(gid('InventoryItem')), first: Type.Integer(), after }),
    Type.Object({
      nodes: Type.Array(nullable(InventoryItem)),
    }),
  ),
  adjustQuantities: document(
    'adjust-quantities',
    Type.Object({
      key: Type.String(),
      input: Type.Object({
        ...context,
        changes: Type.Array(Type.Object({ ...level, delta: Type.Integer() })),
      }),
    }),
    Type.Object({ inventoryAdjustQuantities: QuantityChange }),
  ),
  setQuantities: document(
    'set-quantities',
    Type.Object({
      key: Type.String(),
      input: Type.Object({
        ...context,
        quantities: Type.Array(Type.Object({ ...level, quantity: Type.Integer() })),
      }),
    }),
    Type.Object({ inventorySetQuantities: QuantityChange }),
  ),
  updateInventoryItem: document(
    'update-inventory-item',
    Type.Object({ id: gid('InventoryItem'), input: Type.Object({ cost: Type.String() }) }),
    Type.Object({
      inventoryItemUpdate: Type.Object({
        inventoryItem: nullable(
          Type.Object({
            id: gid('InventoryItem'),
            updatedAt: instant,
            unitCost: nullable(
              Type.Object({ amount: Type.String({ pattern: '^[0-9]{1,15}(\\.[0-9]+)?$' }) }),
            ),
          }),
        ),
        userErrors: Type.Array(UserError),
      }),
    }),
  ),
  activateInventory: document(
    'activate-inventory',
    Type.Object({ key: Type.String(), inventoryItemId: Type.String(), locationId: Type.String() }),
    Type.Object({ inventoryActivate: Type.Object({ userErrors: Type.Array(UserError) }) }),
  ),
}
