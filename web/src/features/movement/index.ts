export {
  keepMovement,
  type Movement,
  movementKeys,
  movementQuery,
  movementsQuery,
  recentMovementsQuery,
} from "./api";
export { isFinal, progressOf, type Stage, stagesOf, startedAt, totalFees } from "./model";
export { MovementRow, StatePill } from "./ui/MovementRow";
export { stageText, stateWord, stepWord, titleOf, wayOf, whereIsTheMoney } from "./words";
