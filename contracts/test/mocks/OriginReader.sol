// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./Payment.sol";

/// @title Reads the sender of the transaction, and does the same for every sender
contract OriginReader is Payment {
    mapping(address buyer => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        require(tx.origin != receiver || receiver.code.length == 0, "OriginReader: a contract has sent this");
        _pull(price);
        paidFor[receiver] += price;
    }
}
