"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Balances = void 0;
const resource_ts_1 = require("./resource.js");
class Balances extends resource_ts_1.Resource {
    /** The payable, pending and refunding amounts by currency, as text in whole centavos. */
    get(options) {
        return this.transport.call('getBalance', {}, options);
    }
}
exports.Balances = Balances;
