// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// An ERC-20 token for tests. Anybody may call anything: mint, burn, charge a fee, blacklist, pause.
contract TestToken {
    string public name;
    string public symbol;
    uint8 public immutable decimals;
    uint256 public totalSupply;
    /// Hundredths of a per cent that each transfer loses on the way. The event names the full amount.
    uint256 public feeBps;
    bool public paused;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public blacklisted;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "allowance too small");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    /// One transaction, as many Transfer events as recipients.
    function batchTransfer(address[] calldata to, uint256[] calldata values) external {
        require(to.length == values.length, "lists of different lengths");
        for (uint256 i = 0; i < to.length; i++) move(msg.sender, to[i], values[i]);
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    /// Takes coins away without any allowance and without any event, as a rebasing token would.
    function burnFrom(address from, uint256 value) external {
        totalSupply -= value;
        balanceOf[from] -= value;
    }

    function setFee(uint256 bps) external {
        require(bps <= 10_000, "more than all");
        feeBps = bps;
    }

    function blacklist(address account, bool listed) external {
        blacklisted[account] = listed;
    }

    function pause(bool on) external {
        paused = on;
    }

    function move(address from, address to, uint256 value) private {
        require(!paused, "paused");
        require(!blacklisted[from] && !blacklisted[to], "blacklisted");
        require(balanceOf[from] >= value, "balance too small");
        uint256 fee = value * feeBps / 10_000;
        balanceOf[from] -= value;
        balanceOf[to] += value - fee;
        totalSupply -= fee;
        emit Transfer(from, to, value);
    }
}
