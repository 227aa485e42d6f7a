-- A low-stock alert stores figures instead of a sentence; its reader writes the sentence (`shared/domain/kit/alerts/message.ts`).
-- `message` is then the name of the product. Without figures it is the sentence: of the other types, and of earlier alerts.
alter table alert add column figures jsonb;
