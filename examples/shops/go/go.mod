module shop

go 1.24

require github.com/zimbo-gateway/zimbo/sdk/go v0.0.0

replace github.com/zimbo-gateway/zimbo/sdk/go => ../../../sdk/go
